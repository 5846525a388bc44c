import type { Decision } from '../../kernel/decider.js'
import type { ChannelCommand } from '../channel-commands.js'
import type { GuildEvent } from '../events.js'
import type { GuildState } from '../state.js'
import { changeChannel } from './channels/change-channel.js'
import { createChannel } from './channels/create-channel.js'
import { deleteChannel, noteMessagesRemoved } from './channels/delete-channel.js'
import { removeOverwrite, setOverwrite } from './channels/overwrites.js'
import { reorderChannels } from './channels/reorder-channels.js'

/** Decides commands about a guild's channels. */
export function decideChannels(state: GuildState, command: ChannelCommand): Decision<GuildEvent> {
  switch (command.type) {
    case 'CreateChannel':
      return createChannel(state, command)
    case 'ChangeChannel':
      return changeChannel(state, command)
    case 'DeleteChannel':
      return deleteChannel(state, command)
    case 'ReorderChannels':
      return reorderChannels(state, command)
    case 'SetOverwrite':
      return setOverwrite(state, command)
    case 'RemoveOverwrite':
      return removeOverwrite(state, command)
    case 'NoteMessagesRemoved':
      return noteMessagesRemoved(state, command)
  }
}
