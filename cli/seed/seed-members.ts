import { metadataOf, type CommandContext } from '../../application/commands/command-context.ts'
import { deriveId } from '../../application/commands/derive-id.ts'
import { contextWith, followingContext } from '../../application/commands/following-context.ts'
import { joinGuild } from '../../application/communities/admission/join-guild.ts'
import { Refused } from '../../application/commands/refused.ts'
import { randomInviteCode } from '../../application/communities/invites/codes/invite-code.ts'
import type { NewEvent } from '../../application/ports/event-store.ts'
import { channelTypes } from '../../domain/guild/channel.ts'
import { everyoneRoleId, membershipId, type AccountId, type InviteCode } from '../../domain/ids/ids.ts'
import { invite } from '../../domain/invite/invite.ts'
import type { InviteTerms } from '../../domain/invite/events.ts'
import { streamName } from '../../domain/streams.ts'
import { eachOf } from './pace.ts'
import { newPerson, registerPerson } from './seed-people.ts'
import { commandsAtOnce, type Person, type SeededGuild, type Seeding } from './seeding.ts'

/** How many members join by one invite, one after another. One append of redemptions holds as many. */
const membersPerInvite = 500
/** The most codes drawn for an invite. This many guilds with the same seed fit beside each other. */
const draws_max = 1000
/** One member in this many has a role. */
const membersPerRole = 8

/** A new member, with the use of the invite that admits them. */
interface Newcomer {
  readonly person: Person
  readonly redemptionId: string
  readonly context: CommandContext
  /** The redemption event that causes the join. */
  readonly redeemedBy: string
}

export interface SeededMembers {
  /** All ids, the owner's first. */
  readonly members: readonly AccountId[]
  /** An invite that never ends. */
  readonly code: InviteCode
}

/** Registers the members, and lets each join by an earlier member's invite. */
export async function seedMembers(seeding: Seeding, seeded: SeededGuild): Promise<SeededMembers> {
  const { sizes, past, onProgress } = seeding
  const members: AccountId[] = [seeded.ownerId]
  const codes: InviteCode[] = []
  for (let from = 0; from < sizes.members_count; from += membersPerInvite) {
    const count = Math.min(membersPerInvite, sizes.members_count - from)
    const times = Array.from({ length: count }, (_, index) => past.at((from + index + 1) / (sizes.members_count + 2)))
    const people = times.map((at_ms) => newPerson(seeding, at_ms))
    codes.push(await arrive(seeding, seeded, people, seeding.chance.one([seeded.ownerId, ...members])))
    members.push(...people.map(({ id }) => id))
    onProgress(members.length)
  }
  const [code = (await createInvite(seeding, seeded, seeded.ownerId, past.from_ms)).code] = codes
  return { members, code }
}

/** The members of one invite: their keys, their accounts, the uses of the invite, and the joins. Gives the invite's code. */
async function arrive(
  seeding: Seeding,
  seeded: SeededGuild,
  people: readonly Person[],
  inviterId: AccountId,
): Promise<InviteCode> {
  const { store, signal } = seeding
  const pace = { atOnce: commandsAtOnce, signal }
  // All at once: one by one, each would take three queries to Postgres.
  await store.keys.keysFor(people.map(({ id }) => id))
  await eachOf(people, pace, (person) => registerPerson(seeding, person))
  const terms = await createInvite(seeding, seeded, inviterId, people[0]?.at_ms ?? seeding.past.from_ms)
  const newcomers = people.map((person) => newcomerOf(seeding, terms.code, person))
  await redeem(seeding, terms, newcomers)
  await eachOf(newcomers, pace, (newcomer) => join(seeding, seeded, terms, newcomer))
  return terms.code
}

async function createInvite(
  { aggregates, past }: Seeding,
  { guild }: SeededGuild,
  inviterId: AccountId,
  at_ms: number,
): Promise<InviteTerms> {
  const context = past.contextAt(at_ms, { kind: 'account', id: inviterId })
  const channel = guild.channels.find(({ type }) => type === channelTypes.text)
  if (!channel) throw new Error('The guild has no text channel to invite to')
  const plan = {
    guildId: guild.id,
    channelId: channel.id,
    inviterId,
    maxUses: 0,
    maxAge: 0,
    temporary: false,
    createdAt: context.now,
  }
  for (let draw = 1; draw <= draws_max; draw += 1) {
    const terms = { ...plan, code: randomInviteCode(context) }
    try {
      await aggregates.invite.execute(terms.code, { type: 'CreateInvite', terms }, context, 'initial')
      return terms
    } catch (error) {
      // An earlier run with the same seed drew the same code.
      if (!(error instanceof Refused) || error.refusal.code !== 'CONFLICT') throw error
    }
  }
  throw new Error('No invite code is free with this seed: choose another --seed')
}

function newcomerOf({ past }: Seeding, code: InviteCode, person: Person): Newcomer {
  const context = past.contextAt(person.at_ms, { kind: 'account', id: person.id })
  const { eventId: redeemedBy } = metadataOf(context, streamName('invite', code), 'RedeemInvite', 0)
  return { person, redemptionId: deriveId(context.commandId, 'redemption'), context, redeemedBy }
}

/** Redeems all uses of an invite in one append. Each is decided on the state after the one before, as with single requests. */
async function redeem({ store }: Seeding, terms: InviteTerms, newcomers: readonly Newcomer[]): Promise<void> {
  const stream = streamName('invite', terms.code)
  let state = invite.evolve(invite.initial, { type: 'InviteCreated', data: terms })
  const events = newcomers.flatMap(({ person, redemptionId, context }): readonly NewEvent[] => {
    const command = { type: 'RedeemInvite', accountId: person.id, redemptionId, now: context.now } as const
    const decision = invite.decide(state, command)
    if (decision.outcome === 'refused') throw new Error(`An invite was refused with ${decision.refusal.code}`)
    state = decision.events.reduce(invite.evolve, state)
    return decision.events.map((event, index) => ({
      ...event,
      metadata: metadataOf(context, stream, command.type, index),
    }))
  })
  const { outcome } = await store.events.append(stream, 0, events)
  if (outcome === 'conflict') throw new Error(`Somebody else used the invite ${terms.code} while the guild was seeded`)
}

async function join(
  { aggregates }: Seeding,
  { guild, ownerId }: SeededGuild,
  { code, inviterId }: InviteTerms,
  { person, redemptionId, context, redeemedBy }: Newcomer,
): Promise<void> {
  const admission = { by: 'invite', code, inviterId, redemptionId } as const
  const joining = { guildId: guild.id, accountId: person.id, temporary: false, admission }
  await joinGuild({ aggregates }, joining, followingContext(context, redeemedBy))
  const [first, ...others] = guild.roles.filter(({ id }) => id !== everyoneRoleId(guild.id))
  // By the id, not by random numbers: joins end in any order.
  if (!first || BigInt(person.id) % BigInt(membersPerRole) !== 0n) return
  const { id: roleId } = [first, ...others][Number(BigInt(person.id) % BigInt(others.length + 1))] ?? first
  const commandId = deriveId(context.commandId, 'role')
  const given = contextWith(context, { commandId, causationId: commandId, actor: { kind: 'account', id: ownerId } })
  await aggregates.membership.execute(membershipId(guild.id, person.id), { type: 'AddMemberRole', roleId }, given)
}
