// Stands in for the native module `argon2`, which hashes the password of code-server: the driver's workbench has none.
const unavailable = async () => {
  throw new Error("argon2 is not built: code-server runs with `auth: none`");
};
module.exports = { hash: unavailable, verify: unavailable, argon2d: 0, argon2i: 1, argon2id: 2 };
