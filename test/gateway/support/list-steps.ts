import fc from 'fast-check'

/** The owner, who has number 0, among them. */
export const people_count = 4
export const overwritten = ['VIEW_CHANNEL', 'VIEW_CHANNEL_MEMBERS'] as const
export const statuses = ['online', 'idle', 'dnd', 'invisible'] as const

/** Something that happens in the guild, by the numbers of members, roles and channels. */
export type Step =
  | {
      readonly type: 'overwrite'
      readonly channel: number
      readonly target: number
      readonly values: readonly string[]
    }
  | { readonly type: 'role'; readonly member: number; readonly role: number }
  | { readonly type: 'hoist' | 'delete'; readonly role: number }
  | { readonly type: 'membership' | 'connection'; readonly member: number }
  | { readonly type: 'status'; readonly member: number; readonly status: number }
  | { readonly type: 'look'; readonly member: number; readonly channel: number }

const member = fc.integer({ min: 1, max: people_count - 1 })
const [channel, role] = [fc.nat({ max: 1 }), fc.nat({ max: 1 })]
const value = fc.constantFrom('allow', 'deny', 'neither')
export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('overwrite' as const),
      channel,
      target: fc.nat({ max: 5 }),
      values: fc.tuple(value, value),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('role' as const), member, role }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('hoist' as const, 'hoist' as const, 'delete' as const), role }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('membership' as const), member }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('status' as const), member, status: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('connection' as const), member }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('look' as const), member, channel }) },
)
