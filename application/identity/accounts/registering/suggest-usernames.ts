import { parseUsername } from '../../../../domain/account/names.js'
import type { Ports } from '../../../ports.js'
import { plainLetters } from './choose-usernames.js'

/**
 * At most one username that follows from a display name; none where no letter of it remains. Whether it is free is not looked
 * up, and nothing is reserved. Reference identity 4.13.
 */
export function suggestUsernames({ instance }: Pick<Ports, 'instance'>) {
  return (globalName: string): { readonly suggestions: readonly string[] } => {
    const username = parseUsername(plainLetters(globalName), instance.serviceName)
    return { suggestions: username.ok ? [username.value] : [] }
  }
}
