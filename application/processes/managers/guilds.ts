import type { GuildCreated } from '../../../domain/guild/events.ts'
import type { CustomCodeClaim } from '../../../domain/invite/events.ts'
import type { MemberJoined } from '../../../domain/membership/events.ts'
import { giveBotRole } from '../../apps/bot-installation/give-bot-role.ts'
import { requireApplication } from '../../apps/bot-installation/require-application.ts'
import { joinGuild } from '../../communities/admission/join-guild.ts'
import { countedAmongGuilds } from '../../communities/admission/within-members.ts'
import { settleListing, type Decision } from '../../communities/discovery/settle-listing.ts'
import { settleCustomCode } from '../../communities/invites/codes/custom-codes.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { FinishingNeeds } from '../finishing-needs.ts'
import { processManager } from '../process-manager.ts'

export const founding = processManager({
  name: 'founding',
  unfinished: 'A guild was created, and its owner has not joined.',
  finishing: 'The owner joins.',
  begins: {
    GuildCreated: ({ data }) => ({ key: data.guildId, data, guildId: data.guildId }),
  },
  ends: {
    MemberJoined: ({ data }) => (data.admission.by === 'founding' ? [{ key: data.guildId }] : []),
    GuildDeleted: ({ data }) => [{ guildId: data.guildId }],
  },
  finish: (ports, { data }, context) => finishFounding(ports, data, context),
})

export const botInstallation = processManager({
  name: 'bot_installation',
  unfinished: 'A bot has joined with a role of its own, and that role does not exist.',
  finishing: 'The role is made. If the guild has no space for it, or the application is gone, the bot leaves.',
  begins: {
    MemberJoined: ({ data }) => {
      const { admission, guildId, accountId } = data
      if (admission.by !== 'bot_installation' || admission.role === null) return undefined
      return { key: admission.role.id, data, guildId, accountId }
    },
  },
  ends: {
    RoleCreated: ({ data }) => [{ key: data.role.id }],
    MemberLeft: ({ data: { guildId, accountId } }) => [{ guildId, accountId }],
    MemberKicked: ({ data: { guildId, accountId } }) => [{ guildId, accountId }],
    MemberBanned: ({ data: { guildId, accountId } }) => [{ guildId, accountId }],
    // An administrator gave the bot an address. Released versions end the step then, and rows must be the same after a replay.
    EmailAddressChanged: ({ data }) => [{ accountId: data.accountId }],
    GuildDeleted: ({ data }) => [{ guildId: data.guildId }],
  },
  finish: (ports, { data }, context) => finishBotInstallation(ports, data, context),
})

/** A claim of a code that its guild has not set begins a step, and so does one that the guild gives up: it must be returned. */
export const customCode = processManager({
  name: 'custom_code',
  unfinished: 'A custom code is claimed for a guild that has not set it, or no longer has it.',
  finishing: 'The guild keeps the code if it has set it by this claim. Otherwise the claim is returned.',
  begins: {
    CustomCodeClaimed: ({ data }) => claimBegun(data),
    VanityCodeChanged: ({ data: { guildId, before } }) => (before ? claimBegun({ ...before, guildId }) : undefined),
    GuildDeleted: ({ data: { guildId, customCode: held } }) => (held ? claimBegun({ ...held, guildId }) : undefined),
  },
  ends: {
    VanityCodeChanged: ({ data: { after } }) => (after ? [{ key: claimOf(after) }] : []),
    CustomCodeReleased: ({ data }) => [{ key: claimOf(data) }],
  },
  finish: (ports, { data }, context) => settleCustomCode(ports, data, context),
})

export const discoveryListing = processManager({
  name: 'discovery_listing',
  unfinished:
    'An application to the directory was made, approved, removed, restored or withdrawn, and the features of its guild may not agree.',
  finishing: 'The guild gets or loses DISCOVERABLE, as the application is now.',
  begins: {
    DiscoveryApplied: ({ data }) => ({ key: decisionOf(data), data }),
    DiscoveryApplicationApproved: ({ data }) => ({ key: decisionOf(data), data }),
    DiscoveryListingRemoved: ({ data }) => ({ key: decisionOf(data), data }),
    DiscoveryListingRestored: ({ data }) => ({ key: decisionOf(data), data }),
    DiscoveryApplicationWithdrawn: ({ data }) => ({ key: decisionOf(data), data }),
  },
  ends: {
    DiscoveryListingSettled: ({ data }) => [{ key: decisionOf(data) }],
  },
  finish: (ports, { data }, context) => settleListing(ports, data, context),
})

/** Finishes the creation of a guild: its owner becomes a member. The limit on guilds was checked at the creation. */
async function finishFounding(
  ports: FinishingNeeds,
  { guildId, ownerId }: Pick<GuildCreated, 'guildId' | 'ownerId'>,
  context: CommandContext,
): Promise<void> {
  const joining = { guildId, accountId: ownerId, temporary: false, admission: { by: 'founding' } } as const
  await countedAmongGuilds(ports, ownerId, async () => {
    await joinGuild(ports, joining, context)
    await ports.readModels.reached(context.written)
  })
}

/** Makes the role that a bot has joined with; where the guild has no space for it, or the application is gone, the bot leaves. */
async function finishBotInstallation(
  ports: FinishingNeeds,
  { guildId, accountId, admission }: MemberJoined,
  context: CommandContext,
): Promise<void> {
  const guild = await ports.queries.guilds.find(guildId)
  if (!guild || admission.by !== 'bot_installation' || admission.role === null) return
  try {
    await requireApplication(ports, guild, accountId, context)
    await giveBotRole(ports, { guild, botId: accountId, role: admission.role }, context)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}

function claimBegun(data: CustomCodeClaim): { readonly key: string; readonly data: CustomCodeClaim } {
  return { key: claimOf(data), data }
}

function claimOf({ code, claim }: Pick<CustomCodeClaim, 'code' | 'claim'>): string {
  return `${code} ${claim}`
}

function decisionOf({ guildId, decision }: Decision): string {
  return `${guildId} ${decision}`
}
