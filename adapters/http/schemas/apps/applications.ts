import { z } from 'zod'
import type { BotPatch } from '../../../../application/apps/applications/change-bot.ts'
import { redirectUris_max, type ApplicationSettings } from '../../../../domain/application/state.ts'
import { usernameLength } from '../../../../domain/account/names.ts'
import { profileImageInput } from '../images.ts'
import { snowflakeOutput } from '../outputs.ts'
import { discriminatorInput } from '../identity/account/own-account.ts'
import { nameInput, readBy, textInput, withDefault } from '../scalars.ts'
import { partialUser, publicFlags } from '../identity/account/users.ts'
import { parseRedirectUri, redirectUriLength } from './redirect-uri.ts'
import { secretOutput } from '../secrets.ts'

const applicationName = nameInput({ min: 1, max: 100 })
const redirectUris = z.array(readBy(parseRedirectUri, redirectUriLength)).max(redirectUris_max)

export const newApplication = z
  .object({
    name: applicationName,
    redirect_uris: withDefault(redirectUris, []),
    bot_public: withDefault(z.boolean(), true),
    bot_require_code_grant: withDefault(z.boolean(), false),
  })
  .transform((body): ApplicationSettings => ({
    name: body.name,
    redirectUris: body.redirect_uris,
    botPublic: body.bot_public,
    botRequireCodeGrant: body.bot_require_code_grant,
  }))

/** Members that are not sent stay as they are; null clears the redirect URIs. */
export const applicationPatch = z
  .object({
    name: applicationName.optional(),
    redirect_uris: redirectUris.nullable().optional(),
    bot_public: z.boolean().optional(),
    bot_require_code_grant: z.boolean().optional(),
  })
  .transform(
    ({ name, redirect_uris: uris, bot_public: botPublic, bot_require_code_grant: botRequireCodeGrant }) =>
      ({
        ...(name !== undefined && { name }),
        ...(uris !== undefined && { redirectUris: uris ?? [] }),
        ...(botPublic !== undefined && { botPublic }),
        ...(botRequireCodeGrant !== undefined && { botRequireCodeGrant }),
      }) satisfies Partial<ApplicationSettings>,
  )

export const botPatch = z.object({
  username: z.string().meta({ minLength: usernameLength.min, maxLength: usernameLength.max }).optional(),
  discriminator: discriminatorInput.optional(),
  avatar: profileImageInput.nullable().optional(),
  banner: profileImageInput.nullable().optional(),
  bio: textInput({ min: 0, max: 1024 }).nullable().optional(),
  bot_flags: z.int().min(0).max(0x7f_ff_ff_ff).optional(),
}) satisfies z.ZodType<BotPatch>

const botMembers = {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: z
    .string()
    .regex(/^\d{4}$/)
    .describe('Four digits, with leading zeros.'),
  avatar: z
    .string()
    .nullable()
    .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
  banner: z
    .string()
    .nullable()
    .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
  bio: z.string().nullable().describe('About the account, in Markdown. Null if it is empty.'),
  flags: z.int().describe(publicFlags),
}

export const botProfile = z.object(botMembers).meta({ id: 'BotProfile' })

const applicationBot = z
  .object({
    ...botMembers,
    token: secretOutput.optional(),
    mfa_enabled: z.boolean().describe('Whether the account has a second factor.'),
    authenticator_types: z.array(z.int()).readonly().describe('0 TOTP, 2 WEBAUTHN.'),
  })
  .meta({ id: 'ApplicationBot' })

export const application = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    redirect_uris: z.array(z.string()).readonly(),
    bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
    bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
    client_secret: secretOutput.optional().describe('The secret of the application. Public clients have none.'),
    bot: applicationBot.optional().describe('Whether the account is a bot.'),
  })
  .meta({ id: 'Application' })

export const publicApplication = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    icon: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    description: z.null(),
    redirect_uris: z.array(z.string()).readonly(),
    scopes: z.array(z.string()).readonly(),
    bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
    bot: botProfile.nullable().describe('Whether the account is a bot.'),
    current_user: partialUser.nullable(),
  })
  .meta({ id: 'PublicApplication' })

export const currentBotApplication = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    icon: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    description: z.string().nullable(),
    bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
    bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
    verify_key: z.string(),
    owner: partialUser,
    bot: applicationBot.describe('Whether the account is a bot.'),
    redirect_uris: z.array(z.string()).readonly(),
  })
  .meta({ id: 'CurrentBotApplication' })

export const botTokenReset = z
  .object({ token: secretOutput, bot: applicationBot.describe('Whether the account is a bot.') })
  .meta({ id: 'BotTokenReset' })
