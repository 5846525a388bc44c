import { describe, expect, it } from 'vitest'
import { blocklistEntry } from '../../../domain/blocklist-entry/blocklist-entry.ts'
import type { BlocklistEntryEvent, EntryDetails } from '../../../domain/blocklist-entry/events.ts'
import { blocklists, underscored } from '../../../domain/blocklist-entry/lists.ts'
import { isAdminAcl } from '../../../domain/admin/acls.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'
import { blocklistEntryCommands } from '../../../domain/testing/commands/arbitraries.ts'

laws('blocklistEntry', blocklistEntryCommands)

const details: EntryDetails = {
  category: 'manual',
  severity: 2,
  matchSubdomains: true,
  sourceUrl: null,
  notes: null,
  contentType: null,
  reason: 'spam',
}
const entry = { entryId: 'e1', list: 'phrase', scope: null, value: 'Buy now', details, addedBy: ada } as const
const add = { type: 'AddBlocklistEntry', ...entry, now: start } as const
const change = (changes: Partial<EntryDetails>) => ({ type: 'ChangeBlocklistEntry', changes }) as const
const remove = { type: 'RemoveBlocklistEntry' } as const
const added: BlocklistEntryEvent = { type: 'BlocklistEntryAdded', data: { ...entry, addedAt: start } }
const changed = (changes: Partial<EntryDetails>): BlocklistEntryEvent => ({
  type: 'BlocklistEntryChanged',
  data: { entryId: 'e1', changes },
})
const removed: BlocklistEntryEvent = { type: 'BlocklistEntryRemoved', data: { entryId: 'e1', list: 'phrase' } }

describe('an entry of a blocklist', () => {
  it('is added once; adding it again replaces its data', () => {
    given(blocklistEntry, []).when(add).then(added)
    given(blocklistEntry, [added]).when(add).changesNothing()
    given(blocklistEntry, [added])
      .when({ ...add, value: 'BUY NOW', details: { ...details, severity: 1 } })
      .then(changed({ severity: 1 }))
  })
  it('records the members that become others alone', () => {
    given(blocklistEntry, [added])
      .when(change({ severity: 2, notes: 'Seen in a raid', reason: null }))
      .then(changed({ notes: 'Seen in a raid', reason: null }))
    given(blocklistEntry, [added, changed({ notes: 'Seen' })])
      .when(change({ notes: 'Seen' }))
      .changesNothing()
  })
  it('is not found if it is not listed, and removing it has no effect', () => {
    given(blocklistEntry, []).when(change({})).refuses('NOT_FOUND')
    given(blocklistEntry, [added, removed]).when(change({})).refuses('NOT_FOUND')
    given(blocklistEntry, [added]).when(remove).then(removed)
    given(blocklistEntry, []).when(remove).changesNothing()
    given(blocklistEntry, [added, removed]).when(add).then(added)
  })
})

describe('every list', () => {
  it('has three ACLs of the registry', () => {
    const acls = blocklists.flatMap((list) =>
      ['add', 'check', 'remove'].map((each) => `ban:${underscored(list)}:${each}`),
    )
    expect(acls.filter((acl) => !isAdminAcl(acl))).toEqual([])
  })
})
