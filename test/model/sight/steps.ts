import fc from 'fast-check'

/** Members of the guild who are not its owner, by number. */
export const members_count = 3
export const channels_count = 2
export const roles_count = 2

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
  | { readonly type: OnMessage; readonly message: number }
  | { readonly type: 'write'; readonly place: number }
  /** A member's connection is lost, or comes back and resumes. */
  | { readonly type: 'connection'; readonly member: number }

/** What happens to a message that is there. */
export type OnMessage = 'edit' | 'react' | 'unreact' | 'pin' | 'delete'

const pick = fc.nat({ max: 1000 })
const member = fc.nat({ max: members_count - 1 })
const channel = fc.nat({ max: channels_count - 1 })
const role = fc.nat({ max: roles_count - 1 })
const value = fc.constantFrom('allow', 'deny', 'deny', 'neither')

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.constant({ kind: 'everyone' } as const),
  fc.record({ kind: fc.constant('role'), role }),
  fc.record({ kind: fc.constant('member'), member }),
)

/** Steps in which much is said while who sees what changes. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('overwrite' as const),
      channel,
      target,
      values: fc.tuple(value, value),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('role' as const), member, role }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('membership' as const), member }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('thread' as const), channel, isPrivate: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('thread member' as const), thread: pick, member }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send' as const), place: pick, withFile: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reply' as const), message: pick }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constantFrom<OnMessage>('edit', 'edit', 'react', 'react', 'unreact', 'pin', 'delete'),
      message: pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('write' as const), place: pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('connection' as const), member }) },
)
