import { field } from '../../../../domain/kernel/refusal.js'
import type { CustomCodeClaim } from '../../../../domain/invite/events.js'
import type { GuildId, InviteCode } from '../../../../domain/ids/ids.js'
import { streamName } from '../../../../domain/streams.js'
import { asCustomCode } from '../../../../domain/text/normalise.js'
import { eventIdOf, type CommandContext } from '../../../commands/command-context.js'
import { deriveId } from '../../../commands/derive-id.js'
import { contextWith, followingContext } from '../../../commands/following-context.js'
import { reject } from '../../../commands/refused.js'
import type { Ports } from '../../../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels'>

/**
 * Takes a code for a guild, before the guild names it. Where that does not come to pass, the claim is to be settled; where the
 * process dies before, a process manager does. Refuses with VANITY_URL_CODE_ALREADY_TAKEN, also where a random code differs from
 * it by case alone: claiming comes first in the log, or that code does, and whoever comes second gives way.
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
  // Taken by an earlier try of this command, and given back or taken by others since.
  if (state.status !== 'custom' || state.guildId !== guildId) return reject('CONFLICT')
  const claimed = { code, guildId, claim: state.claim }
  await readModels.reached(context.written)
  if (!(await queries.invites.isGivenInAnyCase(code))) return claimed
  await settleCustomCode(ports, claimed, afterClaim(context, code))
  return reject('INVALID_FORM_BODY', field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'))
}

/** The context of what follows from a claim, the same as that of the process manager that settles it. */
export function afterClaim(context: CommandContext, code: InviteCode): CommandContext {
  return followingContext(context, eventIdOf(context, streamName('invite', code), 'ClaimCustomCode', 0))
}

/**
 * Brings a claim to its end: a guild that names the code holds it by this claim, where it is the newest; every other claim is
 * given back. Only for claims whose request is over, or that the guild has let go of. Safe to repeat.
 */
export async function settleCustomCode(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { code, guildId, claim }: CustomCodeClaim,
  context: CommandContext,
): Promise<void> {
  // One event can lead to the end of several claims of a code: each ends by a command of its own.
  const own = contextWith(context, { commandId: deriveId(context.commandId, `claim ${code} ${claim}`) })
  const adopting = { type: 'AdoptVanityClaim', custom: { code, claim } } as const
  const { state } = await aggregates.guild.execute(guildId, adopting, own)
  const isHeld = state.status === 'active' && state.settings.vanityCode === code && state.vanityClaim === claim
  if (!isHeld) await aggregates.invite.execute(code, { type: 'ReleaseCustomCode', code, guildId, claim }, own)
}

/** Gives the code of a guild that is no more back. */
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

/** Whether a guild has the custom code that a random code differs from by case alone. */
export async function isCustomInAnyCase({ aggregates }: Pick<Ports, 'aggregates'>, code: InviteCode): Promise<boolean> {
  const { state } = await aggregates.invite.load(asCustomCode(code))
  return state.status === 'custom' && state.guildId !== null
}
