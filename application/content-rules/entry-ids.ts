import { profileScopes, type Blocklist, type ProfileScope } from '../../domain/blocklist-entry/lists.ts'
import type { Ports } from '../ports.ts'
import type { SealedBox } from '../secrets/sealed-box.ts'
import type { ListedValue } from './listed-value.ts'

/** The purpose of the blocklists' sealed box. */
export const blocklistSecrets = 'blocklists'

type Needs = Pick<Ports, 'blocklistBox'>

/** The id of an entry and of its stream. Without the instance's key, nobody can tell its value. */
export function entryIdOf(
  { blocklistBox }: Needs,
  list: Blocklist,
  scope: ProfileScope | null,
  { key }: Pick<ListedValue, 'key'>,
): string {
  return blocklistBox.hash(JSON.stringify([list, scope, key])).toString('hex')
}

/** The ids of a value: in the given scope, or in every scope of the list if none is given. */
export function entryIdsOf(
  needs: Needs,
  list: Blocklist,
  scope: ProfileScope | null,
  value: Pick<ListedValue, 'key'>,
): readonly string[] {
  const scopes = list !== 'profile-substring' ? [null] : scope === null ? profileScopes : [scope]
  return scopes.map((each) => entryIdOf(needs, list, each, value))
}

/** A value as an event stores it. An e-mail address is sealed for its entry, as base64. */
export function storedValue(box: SealedBox, list: Blocklist, entryId: string, value: string): string {
  return list === 'email' ? box.seal([list, entryId], value).toString('base64') : value
}

/** The listed value, as `storedValue` got it. */
export function shownValue(box: SealedBox, list: Blocklist, entryId: string, stored: string): string {
  return list === 'email' ? box.open([list, entryId], Buffer.from(stored, 'base64')) : stored
}
