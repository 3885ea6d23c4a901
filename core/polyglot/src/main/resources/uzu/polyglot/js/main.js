/** Imports the program; what it throws is thrown on the event loop, like what any callback throws. */
(file, done) => {
    import(file).then(done, (failure) =>
        setTimeout(() => {
            throw failure;
        }),
    );
};
