const folder = process.env.TMPDIR || process.env.TEMP || '/tmp';
export const EOL = process.platform === 'win32' ? '\r\n' : '\n';
export const tmpdir = () => (folder.length > 1 ? folder.replace(/[\\/]$/, '') : folder);
export const homedir = () => process.env.HOME ?? process.env.USERPROFILE;
export const platform = () => process.platform;
export default { EOL, tmpdir, homedir, platform };
