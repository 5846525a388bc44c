import fc from 'fast-check'

/** Members of the guild who are not its owner, by number. */
export const members_count = 3
export const channels_count = 2
export const roles_count = 2
export const webhooks_max = 3

/** What is overwritten in a channel: VIEW_CHANNEL, READ_MESSAGE_HISTORY, or both. */
export const overwritten = ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'] as const

/** Whom an overwrite is for. */
export type Target =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'role'; readonly role: number }
  | { readonly kind: 'member'; readonly member: number }

/** Something that happens in the guild. A number picks one of those that there are at that moment. */
export type Step =
  | {
      readonly type: 'overwrite'
      readonly channel: number
      readonly target: Target
      readonly values: readonly ('allow' | 'deny' | 'neither')[]
    }
  | { readonly type: 'role'; readonly member: number; readonly role: number }
  | { readonly type: 'membership'; readonly member: number }
  | { readonly type: 'thread'; readonly channel: number; readonly isPrivate: boolean }
  | { readonly type: 'thread member'; readonly thread: number; readonly member: number }
  | { readonly type: 'send'; readonly place: number; readonly withFile: boolean }
  | { readonly type: 'reply'; readonly message: number }
  | { readonly type: 'forward'; readonly message: number; readonly place: number }
  | { readonly type: OnMessage; readonly message: number }
  | { readonly type: 'write'; readonly place: number }
  /** A member says that it has read up to a message, or the pins of its channel. */
  | { readonly type: 'read'; readonly member: number; readonly message: number; readonly pins: boolean }
  | { readonly type: 'webhook'; readonly what: Change; readonly webhook: number; readonly channel: number }
  /** A webhook writes, in a thread of its channel if there is one. */
  | { readonly type: 'post'; readonly webhook: number; readonly withFile: boolean; readonly inThread: boolean }
  | {
      readonly type: 'expression'
      readonly kind: 'emojis' | 'stickers'
      readonly what: Change
      readonly expression: number
    }
  /** A member looks at the list of members of a channel. */
  | { readonly type: 'look'; readonly member: number; readonly channel: number }
  /** A member's connection is lost, or comes back and resumes. */
  | { readonly type: 'connection'; readonly member: number }

export type StepOf<Type extends Step['type']> = Extract<Step, { readonly type: Type }>

/** What happens to a message that is there. */
export type OnMessage = 'edit' | 'react' | 'unreact' | 'pin' | 'unpin' | 'delete'

export type Change = 'create' | 'change' | 'remove'

const pick = fc.nat({ max: 1000 })
const member = fc.nat({ max: members_count - 1 })
const channel = fc.nat({ max: channels_count - 1 })
const role = fc.nat({ max: roles_count - 1 })
const value = fc.constantFrom('allow', 'deny', 'deny', 'neither')
const what = fc.constantFrom<Change>('create', 'create', 'change', 'remove')

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.constant({ kind: 'everyone' } as const),
  fc.record({ kind: fc.constant('role'), role }),
  fc.record({ kind: fc.constant('member'), member }),
)

const overwrite = fc.record({
  type: fc.constant('overwrite' as const),
  channel,
  target,
  values: fc.tuple(value, value),
})
const onMessage = fc.record({
  type: fc.constantFrom<OnMessage>('edit', 'edit', 'react', 'react', 'unreact', 'pin', 'unpin', 'delete'),
  message: pick,
})
const read = fc.record({ type: fc.constant('read' as const), member, message: pick, pins: fc.boolean() })
const post = fc.record({
  type: fc.constant('post' as const),
  webhook: pick,
  withFile: fc.boolean(),
  inThread: fc.boolean(),
})
const expression = fc.record({
  type: fc.constant('expression' as const),
  kind: fc.constantFrom('emojis' as const, 'stickers' as const),
  what,
  expression: pick,
})

/** Steps in which much is said while who sees what changes. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: overwrite },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('role' as const), member, role }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('membership' as const), member }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('thread' as const), channel, isPrivate: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('thread member' as const), thread: pick, member }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send' as const), place: pick, withFile: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reply' as const), message: pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('forward' as const), message: pick, place: pick }) },
  { weight: 8, arbitrary: onMessage },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('write' as const), place: pick }) },
  { weight: 2, arbitrary: read },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('webhook' as const), what, webhook: pick, channel }) },
  { weight: 2, arbitrary: post },
  { weight: 2, arbitrary: expression },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('look' as const), member, channel }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('connection' as const), member }) },
)
