import { defaultLayout } from '../../domain/guild/layout.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { Served } from '../../application/aggregates/aggregates.ts'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { account } from '../../domain/account/account.ts'
import { emailAddress } from '../../domain/email-address/email-address.ts'
import { guild } from '../../domain/guild/guild.ts'
import { handle } from '../../domain/handle/handle.ts'
import {
  accountId,
  channelId,
  guildId,
  inviteCode,
  type AccountId,
  type ChannelId,
  type GuildId,
  type InviteCode,
} from '../../domain/ids/ids.ts'
import { nextSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { invite } from '../../domain/invite/invite.ts'
import type { DomainEvent } from '../../domain/kernel/decider.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { membership } from '../../domain/membership/membership.ts'

const accounts_count = 2000
const guilds_count = 200
const invitesPerGuild_count = 20
const joinsPerGuild_count = 120
/** One member in this many leaves again. */
const leavers = 8
const appendsAtOnce_max = 256

/**
 * Fills an empty store with at least this many events: the events of a young instance, over and over with other people. The
 * product's deciders determine the events. Gives their number.
 */
export async function seedHistory(store: EventStore, events_min: number): Promise<number> {
  const newId = snowflakes()
  let events = 0
  while (events < events_min) events += await seedTown(store, newId)
  return events
}

/** Some accounts, their guilds, and joins and leaves. Gives the number of events. */
async function seedTown(store: EventStore, newId: () => Snowflake): Promise<number> {
  const history = historyOf(store, newId)
  const accounts = Array.from({ length: accounts_count }, history.newAccount)
  const founders = accounts.slice(0, guilds_count)
  const others = accounts.slice(guilds_count)
  for (const step of [history.claim, history.register, history.signIn]) await history.each(accounts, step)
  const places = await history.each(founders, history.found)
  await history.each(places, history.joinOwn)
  const invites: InviteCode[][] = []
  for (let index = 0; index < invitesPerGuild_count; index += 1)
    invites.push(await history.each(places, history.invite))
  for (let index = 0; index < joinsPerGuild_count; index += 1) {
    const arrivals = places.flatMap((place, number): Arrival[] => {
      const code = invites[index % invitesPerGuild_count]?.[number]
      const joiner = others[(number * 37 + index) % others.length]
      return code && joiner ? [{ place, code, joiner, redemptionId: uuid7(Date.now(), randomBytes(10)) }] : []
    })
    await history.each(arrivals, history.redeem)
    await history.each(arrivals, history.join)
    if (index % leavers === 0) await history.each(arrivals, history.leave)
  }
  return history.written()
}

interface Place {
  readonly guild: GuildId
  readonly channel: ChannelId
  readonly owner: AccountId
}

interface Arrival {
  readonly place: Place
  readonly code: InviteCode
  readonly joiner: AccountId
  readonly redemptionId: string
}

/** Decides commands in memory, and writes their events into the store. */
function historyOf(store: EventStore, newId: () => Snowflake) {
  const { execute, flush, written } = executing(store)
  const now = timestamp(Date.now())
  return {
    /** Does the same for each item, and then writes the resulting events. Each item has streams of its own. */
    each: async <Subject, Result>(
      subjects: readonly Subject[],
      step: (subject: Subject) => Result,
    ): Promise<Result[]> => {
      const results = subjects.map(step)
      await flush()
      return results
    },
    written,
    newAccount: () => accountId(newId()),
    claim: (id: AccountId): void => {
      const [username, addressHash] = namesOf(id)
      execute(emailAddress, addressHash, { type: 'ClaimAddress', addressHash, accountId: id })
      execute(handle, username, { type: 'ClaimHandle', username, accountId: id, roll: 0 })
    },
    register: (id: AccountId): void => {
      const [username] = namesOf(id)
      const passwordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'x'.repeat(66)}`
      const personal = { email: `${username}@example.com`, passwordHash, dateOfBirth: '1990-12-10' }
      const name = { username, discriminator: 1, globalName: null }
      execute(account, id, {
        type: 'RegisterAccount',
        accountId: id,
        ...name,
        ...personal,
        emailVerified: true,
        locale: 'en-US',
        now,
      })
    },
    signIn: (id: AccountId): void => {
      const [, hash] = namesOf(id)
      execute(account, id, {
        type: 'StartSession',
        tokenHash: hash.slice(0, 43),
        ip: '192.0.2.1',
        userAgent: 'bench',
        now,
      })
    },
    found: (owner: AccountId): Place => {
      const place = { guild: guildId(newId()), channel: channelId(newId()), owner }
      const others = { textCategory: channelId(newId()), voiceCategory: channelId(newId()), voice: channelId(newId()) }
      const layout = defaultLayout(place.guild, { text: place.channel, ...others })
      const name = `Guild of ${owner}`
      execute(guild, place.guild, {
        type: 'CreateGuild',
        guildId: place.guild,
        name,
        ownerId: owner,
        features: [],
        layout,
        now,
      })
      return place
    },
    joinOwn: ({ guild: own, owner }: Place): void => {
      const admission = { by: 'founding' } as const
      execute(membership, `${own}-${owner}`, {
        type: 'JoinGuild',
        guildId: own,
        accountId: owner,
        temporary: false,
        admission,
        now,
      })
    },
    invite: ({ guild: own, channel, owner }: Place): InviteCode => {
      const code = inviteCode(randomBytes(6).toString('base64url'))
      const limits = { maxUses: 0, maxAge: 86_400, temporary: false }
      execute(invite, code, {
        type: 'CreateInvite',
        terms: { code, guildId: own, channelId: channel, inviterId: owner, ...limits, createdAt: now },
      })
      return code
    },
    redeem: ({ code, joiner, redemptionId }: Arrival): void => {
      execute(invite, code, { type: 'RedeemInvite', accountId: joiner, redemptionId, now })
    },
    join: ({ place, code, joiner, redemptionId }: Arrival): void => {
      const admission = { by: 'invite', code, inviterId: place.owner, redemptionId } as const
      const joining = { guildId: place.guild, accountId: joiner, temporary: false, admission, now }
      execute(membership, `${place.guild}-${joiner}`, { type: 'JoinGuild', ...joining })
    },
    leave: ({ place, joiner }: Arrival): void => {
      execute(membership, `${place.guild}-${joiner}`, {
        type: 'LeaveGuild',
        guildId: place.guild,
        isOwner: false,
        now,
      })
    },
  }
}

function namesOf(id: AccountId): readonly [username: string, hash: string] {
  const username = `person${id}`
  return [username, createHash('sha256').update(username).digest('hex')]
}

interface Append {
  readonly stream: StreamName
  readonly expected: number
  readonly events: readonly NewEvent[]
}

function executing(store: EventStore) {
  const states = new Map<string, unknown>()
  const revisions = new Map<string, number>()
  const waiting: Append[] = []
  let events_count = 0

  function execute<State, Command, Event extends DomainEvent>(
    decider: Served<State, Command, Event>,
    id: string,
    command: Command,
  ): void {
    const stream = streamName(decider.category, id)
    // Only this decider has put a state there: the stream's name begins with its category.
    const state = (states.get(stream) as State | undefined) ?? decider.initial
    const decision = decider.decide(state, command)
    if (decision.outcome === 'refused') throw new Error(`${stream}: ${decision.refusal.code}`)
    states.set(stream, decision.events.reduce(decider.evolve, state))
    const expected = revisions.get(stream) ?? noStream
    revisions.set(stream, expected + decision.events.length)
    waiting.push({ stream, expected, events: decision.events.map(recorded) })
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const appends = waiting.splice(0, appendsAtOnce_max)
      const results = await Promise.all(
        appends.map(({ stream, expected, events }) => store.append(stream, expected, events)),
      )
      if (results.some(({ outcome }) => outcome !== 'appended')) throw new Error('Not every append was taken')
      events_count += appends.reduce((sum, { events }) => sum + events.length, 0)
    }
  }

  return { execute, flush, written: () => events_count }
}

function recorded({ type, data }: DomainEvent): NewEvent {
  const now = Date.now()
  const eventId = uuid7(now, randomBytes(10))
  const metadata = {
    eventId,
    at: timestamp(now),
    actor: { kind: 'system', name: 'bench' },
    correlationId: eventId,
    causationId: eventId,
  } as const
  return { type, data, metadata }
}

function snowflakes(): () => Snowflake {
  let clock = { ms: 0, sequence: 0 }
  return () => {
    const next = nextSnowflake(clock, Date.now(), 1)
    clock = next.clock
    return next.id
  }
}
