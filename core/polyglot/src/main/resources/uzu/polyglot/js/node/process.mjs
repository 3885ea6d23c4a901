export default process;
export const { argv, env, exit, cwd, hrtime, nextTick, pid, platform, stderr, stdin, stdout, uptime } = process;
