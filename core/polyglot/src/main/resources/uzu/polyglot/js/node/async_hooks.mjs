/** Values that follow a program through promises, timers and callbacks. */
const NOTHING = Symbol('nothing');

export class AsyncLocalStorage {
    #variable = new AsyncContext.Variable({ defaultValue: NOTHING });

    static bind(action) {
        return AsyncResource.bind(action);
    }

    static snapshot() {
        const snapshot = new AsyncContext.Snapshot();
        return (action, ...values) => snapshot.run(action, ...values);
    }

    getStore() {
        const store = this.#variable.get();
        return store === NOTHING ? undefined : store;
    }

    run(store, action, ...values) {
        return this.#variable.run(store, action, ...values);
    }

    exit(action, ...values) {
        return this.#variable.run(NOTHING, action, ...values);
    }

    enterWith() {
        throw new Error('AsyncLocalStorage.enterWith is not there in GraalJS: use run');
    }
}

export class AsyncResource {
    #snapshot = new AsyncContext.Snapshot();

    constructor(type) {
        this.type = type;
    }

    static bind(action) {
        return new AsyncResource('bound').bind(action);
    }

    runInAsyncScope(action, self, ...values) {
        return this.#snapshot.run(() => action.apply(self, values));
    }

    bind(action) {
        return (...values) => this.#snapshot.run(() => action(...values));
    }

    emitDestroy() {
        return this;
    }
}
export default { AsyncLocalStorage, AsyncResource };
