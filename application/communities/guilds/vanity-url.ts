import type { SetVanityCode } from '../../../domain/guild/commands.ts'
import { heldCode } from '../../../domain/guild/decisions/vanity.ts'
import type { GuildId, InviteCode } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { streamName } from '../../../domain/streams.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import { afterClaim, claimCustomCode, settleCustomCode } from '../invites/codes/custom-codes.ts'
import { countedAmongInvites } from '../invites/within-invites.ts'
import type { Ports } from '../../ports.ts'

/** A guild's custom invite URL, and how many joined by it. */
export interface VanityUrl {
  readonly code: string | null
  readonly uses: number
}

/**
 * The custom invite URL of a guild, and how many accounts joined by it. Refuses with UNKNOWN_GUILD, MISSING_ACCESS,
 * MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED. See rules/guilds#custom-url.
 */
export function getVanityUrl(ports: Pick<Ports, 'queries'>) {
  return async (caller: Caller, guildId: GuildId): Promise<VanityUrl> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_GUILD')
    const url = await ports.queries.invites.customOf(guildId)
    return { code: access.guild.settings.vanityCode, uses: url?.uses ?? 0 }
  }
}

export type VanityNeeds = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'reservations'>
type Needs = VanityNeeds & Pick<Ports, 'instance'>

/**
 * Sets, replaces or removes the custom invite URL. Without a code, or with the current one, nothing changes, even if
 * the guild has lost VANITY_URL. Refuses with VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME, UNKNOWN_GUILD,
 * MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, VANITY_URL_CODE_ALREADY_TAKEN, VANITY_URL_REQUIRES_FEATURE.
 * See rules/guilds#custom-url.
 */
export function modifyVanityUrl(ports: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    code: InviteCode | null | undefined,
  ): Promise<Pick<VanityUrl, 'code'>> => {
    if (code) refuseServiceName(ports, code)
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_GUILD')
    const { features, settings } = access.guild
    if (code === undefined || code === settings.vanityCode) return { code: settings.vanityCode }
    if (code !== null && !features.includes('VANITY_URL')) await refuseCode(ports, guildId, code)
    const by = access.actor
    await setVanityCode(ports, guildId, { by, code }, caller.context)
    return { code }
  }
}

/**
 * Claims a code and gives it to the guild instead of the one before; null takes that away. Counts it among the invites of the
 * guild. Refuses with UNKNOWN_GUILD, VANITY_URL_CODE_ALREADY_TAKEN, CONFLICT for a repeat whose code was returned since, and a
 * member as `SetVanityCode` does.
 */
export async function setVanityCode(
  ports: VanityNeeds,
  guildId: GuildId,
  { by, code }: Pick<SetVanityCode, 'by'> & { readonly code: InviteCode | null },
  context: CommandContext,
): Promise<void> {
  if (code === null) return name(ports, guildId, { by, custom: null }, context)
  await countedAmongInvites(ports, guildId, context.now, async () => {
    await claimAndName(ports, guildId, { by, code }, context)
    await ports.readModels.reached(context.written)
  })
}

/** Refuses a code that contains the service's own name, with VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME. */
export function refuseServiceName({ instance }: Pick<Ports, 'instance'>, code: InviteCode): void {
  if (code.includes(instance.serviceName))
    reject('INVALID_FORM_BODY', field('code', 'VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME'))
}

/**
 * Refuses a code to a guild without VANITY_URL. If the code is taken, the answer says that too, and first, as in the contract.
 */
async function refuseCode({ queries }: Pick<Ports, 'queries'>, guildId: GuildId, code: InviteCode): Promise<never> {
  const { invites } = queries
  const holder = await invites.custom(code)
  const isTaken = holder ? holder.guildId !== guildId : await invites.isGivenInAnyCase(code)
  const taken = isTaken ? [field('code', 'VANITY_URL_CODE_ALREADY_TAKEN')] : []
  return reject('INVALID_FORM_BODY', ...taken, field('code', 'VANITY_URL_REQUIRES_FEATURE'))
}

/** Claims the code first, then sets it on the guild. If setting fails, the claim is returned. */
async function claimAndName(
  ports: VanityNeeds,
  guildId: GuildId,
  { by, code }: Pick<SetVanityCode, 'by'> & { readonly code: InviteCode },
  context: CommandContext,
): Promise<void> {
  const claimed = await claimCustomCode(ports, code, guildId, context)
  try {
    await name(ports, guildId, { by, custom: { code, claim: claimed.claim } }, context)
  } catch (error) {
    // If it is unknown whether the guild has set the code, the process manager finds out.
    if (error instanceof Refused) await settleCustomCode(ports, claimed, afterClaim(context, code))
    throw error
  }
}

/** Then the guild's previous code is returned. If another command was faster, the process manager returns it. */
async function name(
  { aggregates }: VanityNeeds,
  guildId: GuildId,
  { by, custom }: Pick<SetVanityCode, 'by' | 'custom'>,
  context: CommandContext,
): Promise<void> {
  const { state: was } = await aggregates.guild.load(guildId)
  const command = { type: 'SetVanityCode', by, custom } as const
  const { changed } = await aggregates.guild.execute(guildId, command, context)
  const before = was.status === 'active' ? heldCode(was) : null
  if (!changed || !before) return
  const following = followingContext(context, eventIdOf(context, streamName('guild', guildId), command.type, 0))
  await settleCustomCode({ aggregates }, { ...before, guildId }, following)
}
