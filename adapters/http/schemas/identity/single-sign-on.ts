import { z } from 'zod'
import { authToken } from './auth.ts'
import { orNull, textInput } from '../scalars.ts'
import { secretOutput } from '../../../../application/wire-objects/scalars.ts'

export const signOnStatus = z
  .object({
    enabled: z.boolean().describe('Whether people sign in by an identity provider.'),
    enforced: z.boolean().describe('Whether there is no other way to sign in.'),
    display_name: z.string().nullable(),
    redirect_uri: z.string(),
  })
  .meta({ id: 'SingleSignOnStatus' })

/** The body of Start single sign-on. An invalid redirect target is dropped, without an error. */
export const signOnWishes = z
  .object({ redirect_to: orNull(z.string()), redirect_uri: orNull(z.string()) })
  .transform((body) => ({ redirectTo: body.redirect_to, redirectUri: body.redirect_uri }))

export const startedSignOn = z
  .object({
    authorization_url: secretOutput.describe('Where the identity provider asks people to sign in.'),
    state: secretOutput,
    redirect_uri: z.string(),
  })
  .meta({ id: 'StartedSingleSignOn' })

const providerText = textInput({ min: 1, max: 4096 })

export const signOnAnswer = z.object({ code: providerText, state: providerText })

export const completedSignOn = authToken
  .extend({ redirect_to: z.string().describe('Where the browser goes on.') })
  .meta({ id: 'CompletedSingleSignOn' })
