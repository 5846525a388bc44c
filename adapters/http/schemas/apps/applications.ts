import { z } from 'zod'
import type { BotPatch } from '../../../../application/apps/applications/change-bot.ts'
import { redirectUris_max, type ApplicationSettings } from '../../../../domain/application/state.ts'
import { usernameLength } from '../../../../domain/account/names.ts'
import { profileImageInput } from '../images.ts'
import { discriminatorInput } from '../identity/account/own-account.ts'
import { nameInput, readBy, textInput, withDefault } from '../scalars.ts'
import { parseRedirectUri, redirectUriLength } from './redirect-uri.ts'
import { secretOutput } from '../../../../application/wire-objects/scalars.ts'
import { ownBotSchema } from '../../../../application/wire-objects/apps/application-objects.ts'

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

export const botTokenReset = z
  .object({ token: secretOutput, bot: ownBotSchema.describe('Whether the account is a bot.') })
  .meta({ id: 'BotTokenReset' })
