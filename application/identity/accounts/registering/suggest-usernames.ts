import { parseUsername } from '../../../../domain/account/names.ts'
import type { Ports } from '../../../ports.ts'
import { plainLetters } from './choose-usernames.ts'

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
