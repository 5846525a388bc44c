import { parseUsername, usernameLength } from '../../../../domain/account/names.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { CommandContext } from '../../../commands/command-context.ts'
import { randomText } from '../../../commands/random-text.ts'
import { reject } from '../../../commands/refused.ts'

const generatedLength = 10
const generatedAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The names that a registration asks for. */
export interface NameWishes {
  readonly username: string | null
  readonly globalName: string | null
}

/**
 * The usernames to try, best first: only the requested one if there is one; otherwise one derived from the display
 * name, then a generated one. Refuses an invalid username with INVALID_FORM_BODY.
 */
export function chooseUsernames(wishes: NameWishes, serviceName: string, context: CommandContext): readonly string[] {
  if (wishes.username !== null) {
    const username = parseUsername(wishes.username, serviceName)
    return username.ok ? [username.value] : reject('INVALID_FORM_BODY', field('username', username.code))
  }
  const generated = `user_${randomText(context, generatedAlphabet, generatedLength)}`
  const derived = parseUsername(plainLetters(wishes.globalName ?? ''), serviceName)
  return derived.ok ? [derived.value, generated] : [generated]
}

/** Ådä Lovelace becomes Ada_Lovelace. */
export function plainLetters(name: string): string {
  const plain = name.normalize('NFKD').replace(/\s+/g, '_')
  return plain.replace(/[^A-Za-z0-9_]/g, '').slice(0, usernameLength.max)
}
