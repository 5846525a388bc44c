import type { Decision } from '../../kernel/decider.ts'
import type { ChannelCommand } from '../channel-commands.ts'
import type { GuildEvent } from '../events.ts'
import type { GuildState } from '../state.ts'
import { changeChannel } from './channels/change-channel.ts'
import { createChannel } from './channels/create-channel.ts'
import { deleteChannel, noteMessagesRemoved } from './channels/delete-channel.ts'
import { removeOverwrite, setOverwrite } from './channels/overwrites.ts'
import { reorderChannels } from './channels/reorder-channels.ts'

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
