import { changeUserGuildSettings } from '../../../../../application/identity/settings/change-user-guild-settings.ts'
import { changeUserSettings } from '../../../../../application/identity/settings/change-user-settings.ts'
import { readUserSettings } from '../../../../../application/identity/settings/read-user-settings.ts'
import { shareVoiceActivity } from '../../../../../application/identity/settings/share-voice-activity.ts'
import { accounts } from '../../../callers.ts'
import { perUser } from '../../../bucket.ts'
import { operation, type Operation } from '../../../operation.ts'
import { settingsGuildParams, userGuildSettingsPatch } from '../../../schemas/identity/account/user-guild-settings.ts'
import { userSettingsPatch, voiceActivitySharing } from '../../../schemas/identity/account/user-settings.ts'
import { currentUserReads } from './own-account.ts'
import { userGuildSettingsSchema } from '../../../../../application/wire-objects/identity/user-guild-settings-object.ts'
import { userSettingsSchema } from '../../../../../application/wire-objects/identity/user-settings-object.ts'
import { privateUserSchema } from '../../../../../application/wire-objects/identity/user-objects.ts'

/** Shared by all operations that modify settings of the account. */
const changes = perUser('user:settings:update', { requests: 20, seconds: 10 })
/** Shared by the guilds and the private channels. */
const guildChanges = perUser('user:guild_settings:update', { requests: 30, seconds: 10 })

const getUserSettingsOperation = operation({
  name: 'Get user settings',
  description: "The caller's settings: those it has chosen, and initial values for all others.",
  route: 'GET /v1/users/@me/settings',
  callers: accounts(),
  bucket: currentUserReads,
  replies: { 200: userSettingsSchema },
  refuses: ['UNKNOWN_USER'],
  useCase: readUserSettings,
  handle: ({ caller }, run) => run(caller),
})

const modifyUserSettingsOperation = operation({
  name: 'Modify user settings',
  description: "Changes the caller's settings, and gives all of them.",
  route: 'PATCH /v1/users/@me/settings',
  callers: accounts(),
  bucket: changes,
  body: userSettingsPatch,
  exampleBody: { theme: 'light' },
  replies: { 200: userSettingsSchema },
  refuses: ['VALIDATION_ERROR'],
  useCase: changeUserSettings,
  handle: ({ caller, body }, run) => run(caller, body),
})

const shareVoiceActivityOperation = operation({
  name: 'Share voice activity',
  description: 'Sets whether friends see which voice channels the caller is in, unless set otherwise for one friend.',
  route: 'PUT /v1/users/@me/settings/voice-activity-sharing',
  callers: accounts(),
  bucket: changes,
  body: voiceActivitySharing,
  keepsNoText: true,
  replies: { 200: privateUserSchema },
  useCase: shareVoiceActivity,
  handle: ({ caller, body }, run) => run(caller, body.share_voice_activity),
})

const modifyPrivateChannelSettingsOperation = operation({
  name: 'Modify user settings of private channels',
  description: "Changes the caller's notification settings for its private channels, and gives all of them.",
  route: 'PATCH /v1/users/@me/guilds/@me/settings',
  callers: accounts(),
  bucket: guildChanges,
  body: userGuildSettingsPatch,
  exampleBody: { muted: true },
  replies: { 200: userGuildSettingsSchema },
  refuses: ['UNKNOWN_GUILD'],
  useCase: changeUserGuildSettings,
  handle: ({ caller, body }, run) => run(caller, null, body),
})

const modifyUserGuildSettingsOperation = operation({
  name: 'Modify user guild settings',
  description: "Changes the caller's notification settings for a guild, and gives all of them.",
  route: 'PATCH /v1/users/@me/guilds/:guild_id/settings',
  callers: accounts(),
  bucket: guildChanges,
  params: settingsGuildParams,
  body: userGuildSettingsPatch,
  exampleBody: { muted: true },
  replies: { 200: userGuildSettingsSchema },
  refuses: ['UNKNOWN_GUILD'],
  useCase: changeUserGuildSettings,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

/** The settings of an account. */
export const userSettingsOperations: readonly Operation[] = [
  getUserSettingsOperation,
  modifyUserSettingsOperation,
  shareVoiceActivityOperation,
  modifyPrivateChannelSettingsOperation,
  modifyUserGuildSettingsOperation,
]
