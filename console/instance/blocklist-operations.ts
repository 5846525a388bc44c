import type { ReplyOf } from '../api/call.ts'
import type { OperationId } from '../api/operations.ts'

/** The part of a list's name in the ids of its operations. */
type Named<Id> = Id extends `list${infer Name}BlocklistEntries` ? Name : never
type ListName = Named<OperationId>

/** A blocklist as the API names it, and its operations: each list has its own. */
export interface Blocklist {
  readonly name: ReplyOf<'listBlocklists'>['lists'][number]
  readonly operations: {
    readonly list: `list${ListName}BlocklistEntries`
    readonly add: `add${ListName}BlocklistEntry`
    readonly check: `check${ListName}BlocklistEntry`
    readonly change: `update${ListName}BlocklistEntry`
    readonly remove: `remove${ListName}BlocklistEntry`
    readonly addMany?: OperationId
    readonly removeMany?: OperationId
  }
}

const operationsOf = (name: ListName): Blocklist['operations'] => ({
  list: `list${name}BlocklistEntries`,
  add: `add${name}BlocklistEntry`,
  check: `check${name}BlocklistEntry`,
  change: `update${name}BlocklistEntry`,
  remove: `remove${name}BlocklistEntry`,
})

/** Every blocklist. */
export const blocklists: readonly Blocklist[] = [
  { name: 'ip', operations: operationsOf('Ip') },
  { name: 'email', operations: operationsOf('Email') },
  { name: 'phrase', operations: operationsOf('Phrase') },
  { name: 'url', operations: operationsOf('Url') },
  { name: 'url-domain', operations: operationsOf('UrlDomain') },
  { name: 'file-sha', operations: { ...operationsOf('FileSha'), addMany: 'addFileShaBlocklistEntries' } },
  {
    name: 'avatar-hash',
    operations: { ...operationsOf('AvatarHash'), removeMany: 'removeAvatarHashBlocklistEntries' },
  },
  {
    name: 'profile-substring',
    operations: { ...operationsOf('ProfileSubstring'), removeMany: 'removeProfileSubstringBlocklistEntries' },
  },
]
