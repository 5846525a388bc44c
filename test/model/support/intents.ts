import fc from 'fast-check'
import { callerNames, type CallerName } from './cast.ts'
import type { ChangeIntent, Dressing, Intent } from './intent.ts'
import { badValues, toggleable, type Changes } from '../plays/modify.ts'
import { bits, type Proof } from './rules.ts'
import type { Template } from './templates.ts'
import type { InviteWishes } from './world.ts'

const by = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<CallerName>('owner', 'moderator') },
  { weight: 3, arbitrary: fc.constantFrom<CallerName>('member', 'stranger') },
  { weight: 2, arbitrary: fc.constantFrom(...callerNames) },
)
/** A caller that often has the permission for the operation. */
const manager = fc.oneof(
  { weight: 5, arbitrary: fc.constant<CallerName>('owner') },
  { weight: 3, arbitrary: fc.constant<CallerName>('moderator') },
  { weight: 3, arbitrary: by },
)
const person = fc.constantFrom<CallerName>('moderator', 'member', 'stranger', 'guest', 'bot', 'engine', 'owner')
const friend = fc.constantFrom<CallerName>('owner', 'owner', 'moderator', 'member', 'stranger')
/** Mostly the first guild; 9 is none. */
const guild = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.nat(9) },
)
const channel = fc.record({ guild, at: fc.nat(9) })
const anyChannel = fc.oneof(
  { weight: 4, arbitrary: channel },
  { weight: 1, arbitrary: fc.record({ private: fc.nat(3) }) },
)
const proof = fc.constantFrom<Proof>('right', 'right', 'none', 'wrong')
/** Undefined `nothing` times for each time that there is a value. */
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>, nothing = 1): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: nothing, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const masks = [
  bits.MANAGE_GUILD,
  bits.MANAGE_CHANNELS,
  bits.ADMINISTRATOR,
  bits.VIEW_CHANNEL | bits.CREATE_INSTANT_INVITE,
  bits.MANAGE_GUILD | bits.MANAGE_CHANNELS | bits.CREATE_INSTANT_INVITE,
]
const everyoneMasks = [
  0n,
  bits.VIEW_CHANNEL,
  bits.VIEW_CHANNEL | bits.SEND_MESSAGES | bits.CREATE_INSTANT_INVITE,
  bits.VIEW_CHANNEL | bits.MANAGE_GUILD,
]

const template: fc.Arbitrary<Template> = fc.record({
  everyone: maybe(fc.constantFrom(...everyoneMasks)),
  roles: fc.array(fc.constantFrom(...masks), { maxLength: 2 }),
  channels: fc.array(fc.constantFrom(0, 2, 4, 5, 13, 15, 99), { maxLength: 4 }),
  nested: fc.boolean(),
  verification: maybe(fc.nat(6)),
  fault: maybe(fc.constantFrom<Template['fault']>('twice the same role', 'twice the same channel', 'no mask'), 5),
})

const plain: fc.Arbitrary<Changes> = fc.record(
  {
    name: fc.constantFrom('Hearth', '  Hearth ', 'x'.repeat(100)),
    system_channel_flags: fc.constantFrom(0, 1, 255),
    afk_timeout: fc.constantFrom(60, 900, 3600),
    default_message_notifications: fc.nat(1),
    verification_level: fc.nat(4),
    nsfw_level: fc.constantFrom(0, 3),
    nsfw: fc.boolean(),
    content_warning_level: fc.constantFrom(0, 1, 7),
    content_warning_text: fc.constantFrom(null, ' careful ', '   ', 'x'.repeat(200)),
    explicit_content_filter: fc.nat(2),
    splash_card_alignment: fc.nat(2),
    features: fc.oneof(
      { weight: 4, arbitrary: fc.subarray([...toggleable]) },
      { weight: 1, arbitrary: fc.subarray(['HIDE_OWNER_CROWN', 'VERIFIED', 'BANNER', 'NO_SUCH_THING']) },
    ),
  },
  { requiredKeys: [] },
)
const change: fc.Arbitrary<ChangeIntent> = fc.record({
  plain: fc
    .tuple(plain, maybe(fc.constantFrom(0, 1), 3))
    .map(([changes, level]) => ({ ...changes, ...(level === undefined ? {} : { mfa_level: level }) })),
  system: maybe(fc.option(channel, { nil: null, freq: 2 }), 5),
  afk: maybe(fc.option(channel, { nil: null, freq: 2 }), 5),
  cutoff: maybe(fc.constantFrom<ChangeIntent['cutoff']>('none', 'now', 'ancient', 'future'), 6),
  bad: maybe(fc.constantFrom(...badValues), 7),
})

const wishes: fc.Arbitrary<InviteWishes> = fc.record(
  {
    max_uses: fc.constantFrom(null, 0, 1, 1, 2, 100, 101),
    max_age: fc.constantFrom(null, 0, 0, 3600, 604_800, 604_801),
    unique: fc.constantFrom(null, false, true),
    temporary: fc.constantFrom(null, false, true),
  },
  { requiredKeys: [] },
)

const goodCodes = ['hearth', 'Hearth', 'our  home', 'our--home', 'ab', 'x'.repeat(32)]
const badCodes = ['a', '-ab', 'x_y', 'guildhall-friends', 'x'.repeat(33)]

const onInvite = fc.record({
  op: fc.constantFrom('get invite' as const, 'accept invite' as const, 'delete invite' as const),
  by,
  code: fc.oneof(fc.nat(2), fc.nat(9)),
  dressing: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Dressing>('plain') },
    { weight: 2, arbitrary: fc.constantFrom<Dressing>('loud', 'dressed', 'blank') },
  ),
})
const takingBack = fc.record({
  op: fc.constant('delete invite' as const),
  by: fc.constantFrom<CallerName>('member', 'moderator', 'stranger'),
  code: fc.nat(1),
  dressing: fc.constant<Dressing>('plain'),
})
const accepting = fc.record({
  op: fc.constant('accept invite' as const),
  by: fc.constantFrom<CallerName>('stranger', 'member', 'guest', 'moderator', 'owner'),
  code: fc.nat(4),
  dressing: fc.constant<Dressing>('plain'),
})

const is = <Op extends string>(op: Op) => fc.constant(op)

const operations: readonly fc.WeightedArbitrary<Intent>[] = [
  {
    weight: 2,
    arbitrary: fc.record({
      op: is('create'),
      by,
      name: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('Home', 'Home', ' Home ', 'A cursed home') },
        { weight: 1, arbitrary: fc.constantFrom(' ', 'x'.repeat(101)) },
      ),
      isEmpty: fc.boolean(),
      template: fc.option(template, { nil: null }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: is('list'),
      by,
      page: fc.record({
        before: maybe(fc.nat(9)),
        after: maybe(fc.nat(9)),
        limit: maybe(fc.constantFrom(0, 1, 2, 200, 201)),
        withCounts: fc.boolean(),
        threads: fc.boolean(),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: is('get'), by, guild, threads: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ op: is('modify'), by: manager, guild, change, proof }) },
  { weight: 1, arbitrary: fc.record({ op: is('delete'), by, guild, proof }) },
  { weight: 2, arbitrary: fc.record({ op: is('leave'), by, guild, deletesMessages: fc.boolean(), proof }) },
  { weight: 2, arbitrary: fc.record({ op: is('bulk delete mine'), by, guild, proof }) },
  { weight: 2, arbitrary: fc.record({ op: is('get custom URL'), by: manager, guild }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: is('modify custom URL'),
      by: fc.oneof({ weight: 2, arbitrary: manager }, { weight: 1, arbitrary: fc.constant<CallerName>('stranger') }),
      guild,
      code: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...goodCodes) },
        { weight: 2, arbitrary: fc.constantFrom(...badCodes) },
        { weight: 2, arbitrary: fc.constantFrom(null, undefined) },
      ),
    }),
  },
  { weight: 5, arbitrary: onInvite },
  { weight: 5, arbitrary: accepting },
  { weight: 2, arbitrary: takingBack },
  { weight: 5, arbitrary: fc.record({ op: is('create invite'), by, channel: anyChannel, wishes }) },
  { weight: 2, arbitrary: fc.record({ op: is('list channel invites'), by: manager, channel: anyChannel }) },
  { weight: 2, arbitrary: fc.record({ op: is('list guild invites'), by: manager, guild }) },
]

const features = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.subarray(['INVITES_DISABLED', 'RAID_DETECTED', 'VANITY_URL', 'DISCOVERABLE', 'VERIFIED']),
  },
  { weight: 3, arbitrary: fc.constantFrom(['VANITY_URL'], []) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(['UNAVAILABLE_FOR_EVERYONE'], ['UNAVAILABLE_FOR_EVERYONE_BUT_STAFF', 'VANITY_URL']),
  },
)

const setup: readonly fc.WeightedArbitrary<Intent>[] = [
  { weight: 3, arbitrary: fc.record({ op: is('give role'), by: person, guild, mask: fc.constantFrom(...masks) }) },
  { weight: 1, arbitrary: fc.record({ op: is('take roles'), by: person, guild }) },
  { weight: 1, arbitrary: fc.record({ op: is('ban'), by: person, guild }) },
  { weight: 1, arbitrary: fc.record({ op: is('unban'), by: person, guild }) },
  { weight: 1, arbitrary: fc.record({ op: is('add bot'), by: fc.constantFrom<CallerName>('bot', 'engine'), guild }) },
  { weight: 1, arbitrary: fc.record({ op: is('set everyone'), guild, mask: fc.constantFrom(...everyoneMasks) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: is('deny everyone'),
      channel,
      mask: fc.constantFrom(0n, bits.VIEW_CHANNEL, bits.CREATE_INSTANT_INVITE),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: is('delete channel'), channel }) },
  { weight: 3, arbitrary: fc.record({ op: is('set features'), guild, features }) },
  { weight: 1, arbitrary: fc.record({ op: is('set operations'), guild, mask: fc.constantFrom(0, 8) }) },
  { weight: 1, arbitrary: fc.record({ op: is('set MFA level'), guild, level: fc.constantFrom<0 | 1>(0, 1) }) },
  { weight: 2, arbitrary: fc.record({ op: is('say'), by, channel }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: is('plant invite'), by: person, channel, age: fc.constantFrom('old', 'over') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: is('open private'),
      kind: fc.constantFrom('group', 'group', 'group', 'direct'),
      by: friend,
      with: friend,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: is('leave private'), by: friend, at: fc.nat(3) }) },
]

/** Any intent; most often a guild that was just found again. */
export const intents: fc.Arbitrary<Intent> = fc.oneof(...operations, ...setup)
