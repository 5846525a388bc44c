import { findPrivateChannel } from '../../access/private-channel-access.ts'
import { changeGroup } from '../../conversations/private-channels/change-group.ts'
import { closePrivateChannel } from '../../conversations/private-channels/close-private-channel.ts'
import { privateChannelView } from '../../conversations/private-channels/private-channel-views.ts'
import type { ChannelKind } from './found-channel.ts'

/** Direct messages, groups, and personal notes (rules/messages#private-channels). */
export const privateKind: ChannelKind = (ports) => async (caller, channelId) => {
  const channel = await findPrivateChannel(ports, caller, channelId)
  return (
    channel && {
      read: () => privateChannelView(ports, caller, channel),
      change: (body) => changeGroup(ports, caller, channel, body.ofPrivateChannel()),
      delete: (wishes) => closePrivateChannel(ports, caller, channel, wishes),
    }
  )
}
