import type { AccountId } from '../ids/ids.ts'
import { accountEvent } from './account-event.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** The events of what an account is and may do, mostly as administrators decide. What they say about the person is personal. */
export const standingEvents = {
  PremiumFlagsChanged: accountEvent<Of<{ readonly flags: number }>>({ accountId: 'text', flags: 'number' }),
  TraitsSet: accountEvent<TraitsSet>({ accountId: 'text', traits: 'list or null' }, { personal: ['traits'] }),
  BotStatusSet: accountEvent<Of<{ readonly bot: boolean }>>({ accountId: 'text', bot: 'flag' }),
  SystemStatusSet: accountEvent<Of<{ readonly system: boolean }>>({ accountId: 'text', system: 'flag' }),
  DateOfBirthChanged: accountEvent<DateOfBirthChanged>(
    { accountId: 'text', dateOfBirth: 'text or null' },
    { personal: ['dateOfBirth'] },
  ),
  /** The account has started its first Gateway session, and has HAS_SESSION_STARTED from now on. */
  GatewaySessionNoted: accountEvent<Of<object>>({ accountId: 'text' }),
  AccountBanned: accountEvent<AccountBanned>({ accountId: 'text', until: 'text', bannedAt: 'text' }),
  AccountBanLifted: accountEvent<Of<object>>({ accountId: 'text' }),
  AccountDeletionScheduled: accountEvent<AccountDeletionScheduled>(
    {
      accountId: 'text',
      dueAt: 'text',
      reasonCode: 'number or null',
      publicReason: 'text or null',
      auditLogReason: 'text or null',
      scheduledBy: 'text',
      scheduledAt: 'text',
    },
    { personal: ['reasonCode', 'publicReason', 'auditLogReason'] },
  ),
  AccountDeletionCancelled: accountEvent<Of<object>>({ accountId: 'text' }),
  MessageDeletionScheduled: accountEvent<MessageDeletionScheduled>({
    accountId: 'text',
    dueAt: 'text',
    channelCount: 'number',
    messageCount: 'number',
  }),
  // By an administrator; MessageDeletionWithdrawn: by the holder, whose clients are told.
  MessageDeletionCancelled: accountEvent<Of<object>>({ accountId: 'text' }),
  MessageDeletionWithdrawn: accountEvent<Of<object>>({ accountId: 'text' }),
  MessageDeletionFinished: accountEvent<Of<{ readonly dueAt: Timestamp }>>({ accountId: 'text', dueAt: 'text' }),
}

/** Every event names its account. */
type Of<Facts> = { readonly accountId: AccountId } & Facts

export interface TraitsSet {
  readonly accountId: AccountId
  /** Personal: sorted, each once; null once the account's key is destroyed. */
  readonly traits: readonly string[] | null
}

export interface DateOfBirthChanged {
  readonly accountId: AccountId
  /** Personal: YYYY-MM-DD. */
  readonly dateOfBirth: string | null
}

/** The account has DISABLED from now on. */
export interface AccountBanned {
  readonly accountId: AccountId
  /** A hundred years ahead for a permanent ban. */
  readonly until: Timestamp
  readonly bannedAt: Timestamp
}

/** An administrator scheduled the deletion, instead of an earlier one. The account has DELETED from now on. */
export interface AccountDeletionScheduled {
  readonly accountId: AccountId
  readonly dueAt: Timestamp
  /** Personal, like the next two: of the deletion reason registry. */
  readonly reasonCode: number | null
  /** For the holder; also null if none was given. */
  readonly publicReason: string | null
  /** For administrators. */
  readonly auditLogReason: string | null
  readonly scheduledBy: AccountId
  readonly scheduledAt: Timestamp
  /** Whether the account names subscriptions, which are then revoked. Absent if it names none. */
  readonly hasSubscriptions?: true
}

/** The holder scheduled the deletion of all own messages. A later one replaces an earlier one. */
export interface MessageDeletionScheduled {
  readonly accountId: AccountId
  readonly dueAt: Timestamp
  /** As counted when it was scheduled. */
  readonly channelCount: number
  readonly messageCount: number
}
