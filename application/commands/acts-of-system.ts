import type { AnyEvent } from '../../domain/aggregates.ts'

/**
 * What the system does without an event that led to it, and why there is none. Such an act begins a chain of its own, under its name.
 * The names are kept with events: never rename one.
 */
export const rootActs = {
  'anonymous authors':
    'Accounts for messages of erased accounts are made ahead. An event that led to one would lead to its account.',
  'command line': 'An operator asked for it.',
  'failed requests': 'Many requests of one network failed.',
  'first sessions': 'An account began its first Gateway session, which is no event.',
  mail: 'A mail server refused an address to which a version before wrote, which kept no cause.',
  'notification history': 'Store A was asked for what it told of in the last two days.',
  'sandbox rules': 'The operator changed who may use test purchases.',
  'store notification': 'A store told of a purchase.',
  'voided purchases': 'Store B was asked for what it voided in the last two days.',
} as const satisfies Readonly<Record<string, string>>

export type RootAct = keyof typeof rootActs

/**
 * What the system does when it is due, and the events that make it so: the newest of them in the stream that it is about. The names
 * are kept with events: never rename one.
 */
export const dueActs = {
  erasure: ['SelfDeletionScheduled', 'AccountDeletionScheduled'],
  'expired ban': ['AccountBanned'],
  'message deletion': ['MessageDeletionScheduled'],
  'premium sweep': ['PremiumPaid', 'PremiumReversed', 'PremiumCut', 'GiftTimeAdded', 'GiftTimeTaken'],
  'store refresh': ['StorePurchaseSeen', 'StorePurchaseLinked'],
  'temporary memberships': ['MemberJoined'],
  threads: ['ThreadStarted', 'ThreadChanged'],
} as const satisfies Readonly<Record<string, readonly AnyEvent['type'][]>>

export type DueAct = keyof typeof dueActs
