import { randomBytes } from 'node:crypto'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { memorySnapshots } from '../../support/memory/memory-snapshots.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { aggregateOf, type AggregateSettings } from '../../../application/aggregates/aggregates.ts'
import {
  commandContext,
  type CommandContext,
  type CommandSource,
} from '../../../application/commands/command-context.ts'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import type { Revision } from '../../../domain/kernel/position.ts'
import type { CreateInvite, RedeemInvite } from '../../../domain/invite/commands.ts'
import { invite } from '../../../domain/invite/invite.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { account, ada, code, general, home, start } from '../../../domain/testing/people.ts'

/** A store in memory that records its calls. */
export interface Fixture {
  readonly store: EventStore
  readonly snapshots: ReturnType<typeof memorySnapshots>
  /** The revision that each read of a stream began after. */
  readonly reads: Revision[]
  /** How many events each append brought. */
  readonly appends: number[]
  /** A separate Aggregate, as another process would have. */
  readonly invites: (settings?: Partial<AggregateSettings>, stateVersion?: number) => ReturnType<typeof inviteAggregate>
}

const inviteAggregate = (settings: AggregateSettings, stateVersion = invite.stateVersion) =>
  aggregateOf({ ...invite, stateVersion }, settings)

export function fixture(): Fixture {
  const keys = memoryPersonalDataKeys()
  const memory = memoryEventStore({ keys })
  const snapshots = memorySnapshots({ keys })
  const reads: Revision[] = []
  const appends: number[] = []
  const store: EventStore = {
    ...memory,
    readStream(stream, after) {
      reads.push(after)
      return memory.readStream(stream, after)
    },
    append(stream, expected, events) {
      appends.push(events.length)
      return memory.append(stream, expected, events)
    },
  }
  return {
    store,
    snapshots,
    reads,
    appends,
    invites: (settings, stateVersion) => inviteAggregate({ store, snapshots, ...settings }, stateVersion),
  }
}

/** The context of one command; two with the same `commandId` are two tries of the same command. */
export function context(source: Partial<CommandSource> = {}): CommandContext {
  const commandId = source.commandId ?? uuid7(Date.now(), randomBytes(10))
  return commandContext({
    commandId,
    correlationId: 'a request',
    causationId: commandId,
    actor: { kind: 'system', name: 'test' },
    reason: undefined,
    now: start,
    mayRepeat: false,
    isKeyed: false,
    newId: () => snowflake('1'),
    randomBytes: (count) => randomBytes(count),
    ...source,
  })
}

export const creation = (maxUses: number): CreateInvite => ({
  type: 'CreateInvite',
  terms: {
    code,
    guildId: home,
    channelId: general,
    inviterId: ada,
    maxUses,
    maxAge: 0,
    temporary: false,
    createdAt: start,
  },
})

export const redemption = (number: number): RedeemInvite => ({
  type: 'RedeemInvite',
  accountId: accountId(account(number)),
  redemptionId: `redemption ${number}`,
  now: start,
})
