import { accounts } from '../../../callers.js'
import { perUser } from '../../../bucket.js'
import { none, operation } from '../../../operation.js'
import {
  settingsGuildParams,
  userGuildSettings,
  userGuildSettingsPatch,
} from '../../../schemas/identity/account/user-guild-settings.js'
import { userSettings } from '../../../schemas/identity/account/user-settings-output.js'
import { userSettingsPatch, voiceActivitySharing } from '../../../schemas/identity/account/user-settings.js'
import { currentUser } from '../../../schemas/identity/account/users.js'
import { currentUserReads } from './users.js'

/** Shared by all that changes settings of the account (reference identity 9.5). */
const changes = perUser('user:settings:update', { requests: 20, seconds: 10 })
/** Shared by the guilds and the private channels (reference identity 9.6). */
const guildChanges = perUser('user:guild_settings:update', { requests: 30, seconds: 10 })

export const getUserSettingsOperation = operation({
  name: 'Get user settings',
  route: 'GET /v1/users/@me/settings',
  callers: accounts(),
  bucket: currentUserReads,
  params: none,
  query: none,
  body: none,
  replies: { 200: userSettings },
  refuses: ['UNKNOWN_USER'],
  handle: ({ caller }, { userSettings: settings }) => settings.read(caller),
})

export const modifyUserSettingsOperation = operation({
  name: 'Modify user settings',
  route: 'PATCH /v1/users/@me/settings',
  callers: accounts(),
  bucket: changes,
  params: none,
  query: none,
  body: userSettingsPatch,
  replies: { 200: userSettings },
  refuses: ['VALIDATION_ERROR'],
  handle: ({ caller, body }, { userSettings: settings }) => settings.change(caller, body),
})

export const shareVoiceActivityOperation = operation({
  name: 'Share voice activity',
  route: 'PUT /v1/users/@me/settings/voice-activity-sharing',
  callers: accounts(),
  bucket: changes,
  params: none,
  query: none,
  body: voiceActivitySharing,
  keepsNoText: true,
  replies: { 200: currentUser },
  handle: ({ caller, body }, { userSettings: settings }) =>
    settings.shareVoiceActivity(caller, body.share_voice_activity),
})

export const modifyPrivateChannelSettingsOperation = operation({
  name: 'Modify user settings of private channels',
  route: 'PATCH /v1/users/@me/guilds/@me/settings',
  callers: accounts(),
  bucket: guildChanges,
  params: none,
  query: none,
  body: userGuildSettingsPatch,
  replies: { 200: userGuildSettings },
  refuses: ['UNKNOWN_GUILD'],
  handle: ({ caller, body }, { userSettings: settings }) => settings.changeForGuild(caller, null, body),
})

export const modifyUserGuildSettingsOperation = operation({
  name: 'Modify user guild settings',
  route: 'PATCH /v1/users/@me/guilds/:guild_id/settings',
  callers: accounts(),
  bucket: guildChanges,
  params: settingsGuildParams,
  query: none,
  body: userGuildSettingsPatch,
  replies: { 200: userGuildSettings },
  refuses: ['UNKNOWN_GUILD'],
  handle: ({ caller, params, body }, { userSettings: settings }) =>
    settings.changeForGuild(caller, params.guild_id, body),
})
