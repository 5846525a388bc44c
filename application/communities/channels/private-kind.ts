import { findPrivateChannel } from '../../access/private-channel-access.js'
import { changeGroup } from '../../conversations/private-channels/change-group.js'
import { closePrivateChannel } from '../../conversations/private-channels/close-private-channel.js'
import { privateChannelView } from '../../conversations/private-channels/private-channel-views.js'
import type { ChannelKind } from './found-channel.js'

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
