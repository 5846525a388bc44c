import { parseUsername } from '../../../../domain/account/names.js'
import type { Ports } from '../../../ports.js'
import { plainLetters } from './choose-usernames.js'

/**
 * At most one username derived from a display name; none if no letter remains. Does not check whether it is free, and
 * reserves nothing.
 */
export function suggestUsernames({ instance }: Pick<Ports, 'instance'>) {
  return (globalName: string): { readonly suggestions: readonly string[] } => {
    const username = parseUsername(plainLetters(globalName), instance.serviceName)
    return { suggestions: username.ok ? [username.value] : [] }
  }
}
