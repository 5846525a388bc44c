import { removeMessagesOfChannel } from '../../communities/channels/remove-messages.ts'
import { clearAfterGuild } from '../../communities/guilds/clear-after-guild.ts'
import { removeGroupMessages } from '../../conversations/private-channels/leave-group.ts'
import { processManager } from '../process-manager.ts'

export const groupMessages = processManager({
  name: 'group_messages',
  unfinished: 'A group has ended, and its messages and images are not deleted.',
  finishing: 'They are deleted.',
  begins: {
    GroupDeleted: ({ data }) => ({ key: data.channelId, data }),
  },
  ends: {
    GroupMessagesRemoved: ({ data }) => [{ key: data.channelId }],
  },
  finish: (ports, { data }, context) => removeGroupMessages(ports, data.channelId, context),
})

export const channelMessages = processManager({
  name: 'channel_messages',
  unfinished: 'A channel of a guild was deleted, and its messages are not.',
  finishing: 'They are deleted.',
  begins: {
    ChannelDeleted: ({ data }) => ({ key: data.channel.id, data }),
  },
  ends: {
    ChannelMessagesRemoved: ({ data }) => (data.ofGuild ? [] : data.channelIds.map((key) => ({ key }))),
  },
  finish: (ports, { data }, context) => removeMessagesOfChannel(ports, data, context),
})

export const guildMessages = processManager({
  name: 'guild_messages',
  unfinished: 'A guild was deleted, and its images and the messages of its channels are not.',
  finishing: 'They are deleted, and the application to the directory is dropped.',
  begins: {
    GuildDeleted: ({ data }) => ({ key: data.guildId, data }),
  },
  ends: {
    ChannelMessagesRemoved: ({ data }) => (data.ofGuild ? [{ key: data.guildId }] : []),
  },
  finish: (ports, { data }, context) => clearAfterGuild(ports, data, context),
})
