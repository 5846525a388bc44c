import fc from 'fast-check'
import type { StandingCommand } from '../../account/standing-commands.ts'
import type { UpdatePremiumFlags } from '../../premium/premium-commands.ts'
import { grace, start } from '../people.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { secondsAfter } from '../../kernel/timestamp.ts'

/** Any word of 64 bits, and those of the life cycle and the highest ones more often. */
export const flagWords: fc.Arbitrary<string> = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  oneOf(0n, 1n << 34n, 1n << 36n, 1n << 38n, 1n << 51n, 1n << 62n, 1n << 63n, (1n << 64n) - 1n).map(String),
)

const premiumWords = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), oneOf(0, 2, 30, 2 ** 31, 2 ** 32 - 1))

const few = { maxLength: 3 }

/** When deletions may be due that commands name: those that the shortest delays come to, and the holder's own. */
const days = (count: number) => (instant: Parameters<typeof secondsAfter>[0]) =>
  secondsAfter(instant, count * 24 * 3600)
const dueInstants = fc.oneof(instants, instants.map(days(14)), instants.map(days(60)))

/** Commands about what an account is and may do, and about its premium flags. */
export const standingCommands: fc.Arbitrary<StandingCommand | UpdatePremiumFlags> = fc.oneof(
  record({ type: oneOf('UpdateFlags'), add: fc.array(flagWords, few), remove: fc.array(flagWords, few) }),
  record({
    type: oneOf('UpdatePremiumFlags'),
    add: fc.array(premiumWords, few),
    remove: fc.array(premiumWords, few),
  }),
  record({ type: oneOf('NoteGatewaySession') }),
  record({ type: oneOf('SetTraits'), traits: fc.array(oneOf('tester', 'premium', 'a,b', 'Ä'), few) }),
  record({ type: oneOf('SetBotStatus'), bot: fc.boolean() }),
  record({ type: oneOf('SetSystemStatus'), system: fc.boolean() }),
  record({ type: oneOf('ChangeDateOfBirth'), dateOfBirth: oneOf('1990-12-10', '2000-02-29') }),
  record({ type: oneOf('BanAccount'), duration_hours: oneOf(0, 1, 8760), now: instants }),
  record({ type: oneOf('LiftAccountBan') }),
  record({ type: oneOf('EndExpiredBan'), now: instants.map((instant) => secondsAfter(instant, 3600)) }),
  record({
    type: oneOf('ScheduleDeletion'),
    reasonCode: oneOf(1, 3),
    delay_days: oneOf(1, 60, 365),
    publicReason: oneOf(null, 'Spam'),
    auditLogReason: oneOf(null, 'reported'),
    scheduledBy: oneOf(grace),
    replaces: fc.option(dueInstants),
    now: oneOf(start),
  }),
  record({ type: oneOf('CancelDeletion'), dueAt: dueInstants }),
  record({
    type: oneOf('ScheduleMessageDeletion'),
    dueAt: instants,
    channelCount: fc.nat({ max: 2 }),
    messageCount: fc.nat({ max: 2 }),
  }),
  record({ type: oneOf('CancelMessageDeletion') }),
  record({ type: oneOf('WithdrawMessageDeletion') }),
  record({ type: oneOf('FinishMessageDeletion'), dueAt: instants }),
)
