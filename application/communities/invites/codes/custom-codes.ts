import { field } from '../../../../domain/kernel/refusal.ts'
import type { CustomCodeClaim } from '../../../../domain/invite/events.ts'
import type { GuildId, InviteCode } from '../../../../domain/ids/ids.ts'
import { streamName } from '../../../../domain/streams.ts'
import { asCustomCode } from '../../../../domain/text/normalise.ts'
import { eventIdOf, type CommandContext } from '../../../commands/command-context.ts'
import { deriveId } from '../../../commands/derive-id.ts'
import { contextWith, followingContext } from '../../../commands/following-context.ts'
import { reject } from '../../../commands/refused.ts'
import type { Position } from '../../../../domain/kernel/position.ts'
import type { Ports } from '../../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels'>

/**
 * Claims a code for a guild, before the guild sets it. If the guild does not come to set it, the claim must be settled; if the
 * process dies first, a process manager settles it. Refuses with VANITY_URL_CODE_ALREADY_TAKEN, also if a random code differs
 * from it by case alone. Whichever of the two comes second in the log gives way.
 */
export async function claimCustomCode(
  ports: Needs,
  code: InviteCode,
  guildId: GuildId,
  context: CommandContext,
): Promise<CustomCodeClaim> {
  const { aggregates, queries, readModels } = ports
  const claiming = { type: 'ClaimCustomCode', code, guildId } as const
  const { state } = await aggregates.invite.execute(code, claiming, context)
  // An earlier try of this command claimed the code; since then it was returned, or others claimed it.
  if (state.status !== 'custom' || state.guildId !== guildId) return reject('CONFLICT')
  const claimed = { code, guildId, claim: state.claim }
  await readModels.reached(context.written)
  if (!(await queries.invites.isGivenInAnyCase(code))) return claimed
  await settleCustomCode(ports, claimed, afterClaim(context, code))
  return reject('INVALID_FORM_BODY', field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'))
}

/** The context of the steps after a claim. The process manager that settles it uses the same one. */
export function afterClaim(context: CommandContext, code: InviteCode): CommandContext {
  return followingContext(context, eventIdOf(context, streamName('invite', code), 'ClaimCustomCode', 0))
}

/**
 * Settles a claim: if the guild has set the code and this claim is the newest, the guild keeps it; every other claim is returned.
 * Call it only for claims whose request is over, or whose code the guild has given up. Safe to repeat.
 */
export async function settleCustomCode(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { code, guildId, claim }: CustomCodeClaim,
  context: CommandContext,
): Promise<void> {
  // One event can lead to the end of several claims of a code. Each ends by its own command.
  const own = contextWith(context, { commandId: deriveId(context.commandId, `claim ${code} ${claim}`) })
  const adopting = { type: 'AdoptVanityClaim', custom: { code, claim } } as const
  const { state } = await aggregates.guild.execute(guildId, adopting, own)
  const isHeld = state.status === 'active' && state.settings.vanityCode === code && state.vanityClaim === claim
  if (!isHeld) await aggregates.invite.execute(code, { type: 'ReleaseCustomCode', code, guildId, claim }, own)
}

/** Returns the custom code of a deleted guild. */
export async function releaseCodeOfGuild(
  { aggregates }: Pick<Ports, 'aggregates'>,
  guildId: GuildId,
  code: InviteCode | null,
  context: CommandContext,
): Promise<void> {
  if (code === null) return
  const { state } = await aggregates.invite.load(code)
  if (state.status !== 'custom' || state.guildId !== guildId) return
  await settleCustomCode({ aggregates }, { code, guildId, claim: state.claim }, context)
}

/**
 * Whether a guild has a custom code that differs from a random code by case alone: at least by all events up to a position that the
 * read models hold.
 */
export async function isCustomInAnyCase(
  { aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>,
  code: InviteCode,
  asOf: Position,
): Promise<boolean> {
  const custom = asCustomCode(code)
  if (!(await queries.invites.mayBeCustom(custom, asOf))) return false
  const { state } = await aggregates.invite.load(custom)
  return state.status === 'custom' && state.guildId !== null
}
