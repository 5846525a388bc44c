import { describe, expect, it } from 'vitest'
import { discoveryApplication } from '../../../domain/discovery-application/discovery-application.ts'
import type { DiscoveryApplicationEvent, GuildFacts } from '../../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { laws } from '../../support/laws.ts'
import { discoveryApplicationCommands } from '../../../domain/testing/commands/discovery-arbitraries.ts'
import { ada, grace, home, moderator, start } from '../../../domain/testing/people.ts'

laws('discoveryApplication', discoveryApplicationCommands)

const listing: DirectoryListing = {
  description: 'A place for chess',
  categoryType: 0,
  primaryLanguage: 'en-US',
  customTags: ['chess'],
}
const guild: GuildFacts = { name: 'Home', icon: 'a1b2', memberCount: 12 }
const later = secondsAfter(start, 60)
const evidence = { ...listing, guild }

const appliedWith = (decision = 1, approvedAtOnce = false): DiscoveryApplicationEvent => ({
  type: 'DiscoveryApplied',
  data: { guildId: home, decision, appliedBy: ada, listing, guild, approvedAtOnce, appliedAt: start },
})
const approvedWith = (reason: string | null = null, decision = 2): DiscoveryApplicationEvent => ({
  type: 'DiscoveryApplicationApproved',
  data: { guildId: home, decision, reviewedBy: moderator, reason, evidence, reviewedAt: later },
})
const rejected: DiscoveryApplicationEvent = {
  type: 'DiscoveryApplicationRejected',
  data: { guildId: home, reviewedBy: moderator, reason: 'too small', evidence, reviewedAt: later },
}
const removedWith = (reason: string | null = 'spam', decision = 3): DiscoveryApplicationEvent => ({
  type: 'DiscoveryListingRemoved',
  data: { guildId: home, decision, removedBy: moderator, reason, evidence, removedAt: later },
})
const withdrawnWith = (decision: number): DiscoveryApplicationEvent => ({
  type: 'DiscoveryApplicationWithdrawn',
  data: { guildId: home, decision, withdrawnBy: grace, withdrawnAt: later },
})
const dropped: DiscoveryApplicationEvent = { type: 'DiscoveryApplicationDropped', data: { guildId: home } }

const pending = [appliedWith()]
const approved = [...pending, approvedWith()]
const removed = [...approved, removedWith()]

const apply = { type: 'ApplyForDiscovery', guildId: home, by: ada, listing, guild, atOnce: false, now: start } as const
const judging = { by: moderator, guild, now: later } as const
const approve = (reason: string | null = null) => ({ type: 'ApproveDiscovery', reason, ...judging }) as const
const reject = { type: 'RejectDiscovery', reason: 'too small', ...judging } as const
const remove = { type: 'RemoveDiscoveryListing', reason: 'spam', ...judging } as const
const withdraw = { type: 'WithdrawDiscovery', by: grace, now: later } as const
const byFeature = (discoverable: boolean) => ({ type: 'ChangeDiscoveryByFeature', discoverable, ...judging }) as const
const edit = (changes: Partial<DirectoryListing>) =>
  ({ type: 'EditDiscovery', by: grace, byAdministrator: false, changes, now: later }) as const
const move = (categoryType: number) =>
  ({ type: 'MoveDiscoveryListing', by: moderator, categoryType, now: later }) as const
const settle = (decision: number, seen: number) => ({ type: 'SettleDiscovery', guildId: home, decision, seen }) as const

describe('applying', () => {
  it('waits for a review, or is approved at once', () => {
    given(discoveryApplication, []).when(apply).then(appliedWith())
    given(discoveryApplication, [])
      .when({ ...apply, atOnce: true })
      .then(appliedWith(1, true))
    expect(fold(discoveryApplication, [appliedWith(1, true)])).toMatchObject({
      status: 'approved',
      reviewedAt: start,
      reviewReason: null,
    })
  })

  it('is DISCOVERY_ALREADY_APPLIED while an application is pending or approved', () => {
    given(discoveryApplication, pending).when(apply).refuses('DISCOVERY_ALREADY_APPLIED')
    given(discoveryApplication, approved).when(apply).refuses('DISCOVERY_ALREADY_APPLIED')
  })

  it('begins anew after a rejection, a removal and a withdrawal', () => {
    for (const [history, decision] of [
      [[...pending, rejected], 2],
      [removed, 4],
      [[...approved, withdrawnWith(3)], 4],
    ] as const) {
      given(discoveryApplication, history).when(apply).then(appliedWith(decision))
      const fresh = fold(discoveryApplication, [...history, appliedWith(decision)])
      const nothing = { reviewedAt: null, reviewReason: null, removedAt: null, removalReason: null }
      expect(fresh).toMatchObject({ status: 'pending', ...nothing })
    }
  })
})

describe('a review', () => {
  it('keeps what was judged, and the reason', () => {
    given(discoveryApplication, pending).when(approve('fine')).then(approvedWith('fine'))
    given(discoveryApplication, pending).when(approve()).then(approvedWith())
    given(discoveryApplication, pending).when(reject).then(rejected)
  })

  it('is DISCOVERY_APPLICATION_NOT_FOUND without an application', () => {
    given(discoveryApplication, []).when(approve()).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    given(discoveryApplication, []).when(reject).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    given(discoveryApplication, [...pending, withdrawnWith(2)])
      .when(reject)
      .refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    given(discoveryApplication, [...pending, dropped])
      .when(approve())
      .refuses('DISCOVERY_APPLICATION_NOT_FOUND')
  })

  it('is DISCOVERY_APPLICATION_ALREADY_REVIEWED once it is not pending', () => {
    for (const history of [approved, [...pending, rejected], removed, [appliedWith(1, true)]]) {
      given(discoveryApplication, history).when(approve()).refuses('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
      given(discoveryApplication, history).when(reject).refuses('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
    }
  })
})

describe('an edit', () => {
  it('changes what differs, while pending and approved', () => {
    const after = { description: 'A place for go', customTags: ['go'] }
    for (const history of [pending, approved]) {
      given(discoveryApplication, history)
        .when(edit({ ...after, categoryType: 0 }))
        .then({
          type: 'DiscoveryApplicationEdited',
          data: {
            guildId: home,
            editedBy: grace,
            byAdministrator: false,
            before: { description: 'A place for chess', customTags: ['chess'] },
            after,
            editedAt: later,
          },
        })
    }
  })

  it('changes nothing where nothing differs', () => {
    given(discoveryApplication, pending).when(edit({})).changesNothing()
    given(discoveryApplication, approved).when(edit(listing)).changesNothing()
  })

  it('is refused without an application, and once rejected or removed', () => {
    given(discoveryApplication, []).when(edit({})).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    for (const history of [[...pending, rejected], removed]) {
      given(discoveryApplication, history).when(edit({})).refuses('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
    }
  })
})

describe('a move', () => {
  it('changes the category alone, while pending and approved', () => {
    const data = { guildId: home, movedBy: moderator, before: 0, after: 4, movedAt: later }
    given(discoveryApplication, pending).when(move(4)).then({ type: 'DiscoveryListingMoved', data })
    given(discoveryApplication, approved).when(move(4)).then({ type: 'DiscoveryListingMoved', data })
    given(discoveryApplication, approved).when(move(0)).changesNothing()
  })

  it('is refused without an application, and once rejected or removed', () => {
    given(discoveryApplication, []).when(move(4)).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    given(discoveryApplication, removed).when(move(4)).refuses('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
    given(discoveryApplication, [...pending, rejected])
      .when(move(4))
      .refuses('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  })
})

describe('a removal', () => {
  it('takes an approved listing out, and keeps the review', () => {
    given(discoveryApplication, approved).when(remove).then(removedWith())
    const state = fold(discoveryApplication, [...pending, approvedWith('fine'), removedWith()])
    const review = { reviewedAt: later, reviewReason: 'fine' }
    expect(state).toMatchObject({ status: 'removed', removedAt: later, removalReason: 'spam', ...review })
  })

  it('is DISCOVERY_NOT_DISCOVERABLE unless it is approved, after DISCOVERY_APPLICATION_NOT_FOUND', () => {
    given(discoveryApplication, []).when(remove).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    for (const history of [pending, [...pending, rejected], removed])
      given(discoveryApplication, history).when(remove).refuses('DISCOVERY_NOT_DISCOVERABLE')
  })
})

describe('restoring', () => {
  const restore = { type: 'RestoreDiscoveryListing', guild, now: later } as const
  const restored: DiscoveryApplicationEvent = {
    type: 'DiscoveryListingRestored',
    data: { guildId: home, decision: 4, undoes: 3, evidence, restoredAt: later },
  }

  it('undoes the last removal by its number, and the listing is as before', () => {
    given(discoveryApplication, removed).when(restore).then(restored)
    const before = fold(discoveryApplication, approved)
    const unsettled = [1, 2, 3, 4]
    expect(fold(discoveryApplication, [...removed, restored])).toStrictEqual({ ...before, decisions: 4, unsettled })
  })

  it('is refused unless it is removed', () => {
    given(discoveryApplication, []).when(restore).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
    for (const history of [pending, approved, [...pending, rejected], [...removed, restored]])
      given(discoveryApplication, history).when(restore).refuses('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  })
})

describe('the feature DISCOVERABLE in the hands of an administrator', () => {
  it('approves an application of any status, and removes an approved one', () => {
    given(discoveryApplication, pending).when(byFeature(true)).then(approvedWith())
    given(discoveryApplication, [...pending, rejected])
      .when(byFeature(true))
      .then(approvedWith())
    given(discoveryApplication, removed).when(byFeature(true)).then(approvedWith(null, 4))
    given(discoveryApplication, approved).when(byFeature(false)).then(removedWith(null))
  })

  it('changes nothing that is so already, and makes no application', () => {
    given(discoveryApplication, approved).when(byFeature(true)).changesNothing()
    given(discoveryApplication, pending).when(byFeature(false)).changesNothing()
    given(discoveryApplication, []).when(byFeature(true)).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
  })
})

describe('the end of an application', () => {
  it('is its withdrawal in any status', () => {
    given(discoveryApplication, pending).when(withdraw).then(withdrawnWith(2))
    given(discoveryApplication, approved).when(withdraw).then(withdrawnWith(3))
    given(discoveryApplication, removed).when(withdraw).then(withdrawnWith(4))
    given(discoveryApplication, []).when(withdraw).refuses('DISCOVERY_APPLICATION_NOT_FOUND')
  })

  it('is the end of its guild', () => {
    given(discoveryApplication, approved).when({ type: 'DropDiscovery' }).then(dropped)
    given(discoveryApplication, []).when({ type: 'DropDiscovery' }).changesNothing()
  })
})

describe('a decision that the guild has followed', () => {
  it('is settled once, each for itself, also when the application is gone', () => {
    const settled = (decision: number): DiscoveryApplicationEvent => ({
      type: 'DiscoveryListingSettled',
      data: { guildId: home, decision },
    })
    given(discoveryApplication, approved).when(settle(1, 2)).then(settled(1))
    given(discoveryApplication, [...approved, settled(1)])
      .when(settle(2, 2))
      .then(settled(2))
    given(discoveryApplication, [...approved, settled(2)])
      .when(settle(2, 2))
      .changesNothing()
    given(discoveryApplication, [...approved, withdrawnWith(3)])
      .when(settle(2, 3))
      .then(settled(2))
    given(discoveryApplication, []).when(settle(1, 0)).changesNothing()
  })

  it('is not settled while more was decided than its follower saw', () => {
    given(discoveryApplication, removed).when(settle(2, 2)).changesNothing()
    expect(fold(discoveryApplication, removed)).toMatchObject({ decisions: 3, unsettled: [1, 2, 3] })
  })
})

describe('in whatever happens to an application', () => {
  const lives = histories(discoveryApplication, discoveryApplicationCommands)

  property('decisions are counted up by one, and each is settled at most once', lives, ({ events }) => {
    const numbers = events.flatMap(({ type, data }) =>
      'decision' in data && type !== 'DiscoveryListingSettled' ? [data.decision] : [],
    )
    expect(numbers).toStrictEqual(numbers.map((_, index) => index + 1))
    const settled = events.flatMap(({ type, data }) => (type === 'DiscoveryListingSettled' ? [data.decision] : []))
    expect(new Set(settled).size).toBe(settled.length)
  })

  property(
    'whatever changes whether it is listed is such a decision, or its end with its guild',
    lives,
    ({ steps }) => {
      for (const { before, after, events } of steps) {
        if ((before.status === 'approved') === (after.status === 'approved')) continue
        const known = events.some(({ data, type }) => 'decision' in data || type === 'DiscoveryApplicationDropped')
        expect(known).toBe(true)
      }
    },
  )

  property('nothing is listed that nobody let in', lives, ({ steps }) => {
    for (const { before, command, after } of steps) {
      if (after.status !== 'approved' || before.status === 'approved') continue
      const letsIn =
        command.type === 'ApproveDiscovery' ||
        (command.type === 'RestoreDiscoveryListing' && before.status === 'removed') ||
        (command.type === 'ApplyForDiscovery' && command.atOnce) ||
        (command.type === 'ChangeDiscoveryByFeature' && command.discoverable)
      expect(letsIn).toBe(true)
    }
  })
})
