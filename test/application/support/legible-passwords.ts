import type { Passwords } from '../../../application/ports/passwords.ts'
import { preparedPassword } from '../../../domain/account/password.ts'

/** Passwords whose hash says what it is of. */
export const legiblePasswords: Passwords = {
  hash: async (password) => `hash of ${preparedPassword(password)}`,
  verify: async (password, hash) => {
    if (hash === `hash of ${preparedPassword(password)}`) return 'right'
    return hash === `hash of ${password}` ? 'right as typed' : 'wrong'
  },
}
