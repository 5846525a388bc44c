import type { AccountErasureStarted } from '../../domain/account/events.js'
import type { ApplicationDeleted } from '../../domain/application/events.js'
import type { EmailAddressClaimed } from '../../domain/email-address/events.js'
import type { ChannelDeleted } from '../../domain/guild/channel-events.js'
import type { GuildCreated, GuildDeleted } from '../../domain/guild/events.js'
import type { HandleClaimed } from '../../domain/handle/events.js'
import type { CustomCodeClaim, GroupInviteRedeemed, InviteRedeemed } from '../../domain/invite/events.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { GroupDeleted } from '../../domain/private-channel/events.js'
import type { RegistrationUrlUse } from '../../domain/registration-url/events.js'
import type { SingleSignOnIdentityClaimed } from '../../domain/single-sign-on-identity/events.js'
import type { MemberJoined } from '../../domain/membership/events.js'
import { finishAdminAction, type UnrecordedAction } from '../administration/audit/finish-admin-action.js'
import { eraseBot } from '../apps/applications/delete-application.js'
import { removeMessagesOfChannel } from '../communities/channels/remove-messages.js'
import { finishingContext } from '../commands/following-context.js'
import { clearAfterGuild } from '../communities/guilds/clear-after-guild.js'
import { finishErasure } from '../identity/erasure/finish-erasure.js'
import { settleCustomCode } from '../communities/invites/codes/custom-codes.js'
import { removeGroupMessages } from '../conversations/private-channels/leave-group.js'
import type { StepReference } from '../ports/jobs.js'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.js'
import { finishAdmission, finishGroupAdmission } from './finish-admission.js'
import { finishAddressClaim, finishHandleClaim, finishIdentityClaim, finishUrlUse } from './finish-claims.js'
import { finishBotInstallation } from './finish-bot-installation.js'
import { finishFounding } from './finish-founding.js'
import type { FinishingNeeds } from './finishing-needs.js'

/**
 * Finishes the referenced step, and resolves once the read models hold it; false if nothing is left to finish. Safe to repeat, by
 * any number of processes: the step's commands derive from the event that began it. Rejects if the step cannot be finished yet.
 */
export function finishStep(ports: FinishingNeeds) {
  return async ({ process, key, eventId }: StepReference, now: Timestamp): Promise<boolean> => {
    const step = await ports.queries.unfinished.find(process, key)
    // A new step may have begun under the key of a finished one; its request is still working on it.
    if (step?.eventId !== eventId) return false
    await finishFound(ports, step, now)
    return true
  }
}

/** Finishes an unfinished step. The data of a step is that of the event that began it, or of its metadata. */
export async function finishFound(ports: FinishingNeeds, step: UnfinishedStep, now: Timestamp): Promise<void> {
  const context = finishingContext(step, step.process, now)
  const data: unknown = step.data
  switch (step.process) {
    case 'admission':
      await finishAdmission(ports, data as InviteRedeemed, context)
      break
    case 'group_admission':
      await finishGroupAdmission(ports, data as GroupInviteRedeemed, context)
      break
    case 'custom_code':
      await settleCustomCode(ports, data as CustomCodeClaim, context)
      break
    case 'bot_installation':
      await finishBotInstallation(ports, data as MemberJoined, context)
      break
    case 'founding':
      await finishFounding(ports, data as GuildCreated, context)
      break
    case 'handle_claim':
      await finishHandleClaim(ports, data as HandleClaimed, context)
      break
    case 'address_claim':
      await finishAddressClaim(ports, data as EmailAddressClaimed, context)
      break
    case 'registration_url_use':
      await finishUrlUse(ports, data as RegistrationUrlUse, context)
      break
    case 'identity_claim':
      await finishIdentityClaim(ports, data as SingleSignOnIdentityClaimed, context)
      break
    case 'bot_erasure':
      await eraseBot(ports, (data as ApplicationDeleted).applicationId, context)
      break
    case 'erasure':
      await finishErasure(ports, data as AccountErasureStarted, context)
      break
    case 'group_messages':
      await removeGroupMessages(ports, (data as GroupDeleted).channelId, context)
      break
    case 'channel_messages':
      await removeMessagesOfChannel(ports, data as ChannelDeleted, context)
      break
    case 'guild_messages':
      await clearAfterGuild(ports, data as GuildDeleted, context)
      break
    case 'admin_action':
      await finishAdminAction(ports, data as UnrecordedAction, context)
      break
  }
  await ports.readModels.reached(context.written)
}
