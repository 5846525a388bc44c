import { z } from 'zod'
import type { ConsoleCode } from '../../../../application/apps/console/console-sign-in.ts'
import type { AuthorizeQuery } from '../../../../application/apps/oauth2/authorize.ts'
import type { ConsentWishes } from '../../../../application/apps/oauth2/consent.ts'
import type { TokenForm } from '../../../../application/apps/oauth2/exchange-tokens.ts'
import type { IntrospectionForm, RevocationForm } from '../../../../application/apps/oauth2/inspect-tokens.ts'
import { allPermissions } from '../../../../domain/permissions/permission-bits.ts'
import { applicationIdInput, channelIdInput, guildIdInput, issue, orNull, textInput } from '../scalars.ts'
import { unitsInWords } from '../../../../application/wire-objects/units-in-words.ts'

const boundedText = textInput({ min: 1, max: 256 })
const method = z.enum(['S256', 'plain'])

/** An empty parameter counts as absent. */
const given = (value: unknown): unknown => (typeof value === 'string' && value.trim() === '' ? undefined : value)

/** A set of permission bits as a decimal literal: INVALID_INTEGER_FORMAT, INTEGER_OUT_OF_INT64_RANGE beyond 64 bits. */
const permissionsInput = z
  .string()
  .transform((text, context): bigint => {
    if (!/^\d{1,20}$/.test(text.trim())) return issue(context, 'INVALID_INTEGER_FORMAT')
    const bits = BigInt(text.trim())
    return bits <= allPermissions ? bits : issue(context, 'INTEGER_OUT_OF_INT64_RANGE')
  })
  .meta({ description: unitsInWords.mask })

const optionalIn = <S extends z.ZodType>(schema: S) => z.preprocess(given, schema.optional())

/** What an application asks for (rules/applications#authorise). */
export const authorizeQuery = z
  .object({
    response_type: optionalIn(z.literal('code')),
    client_id: applicationIdInput,
    redirect_uri: optionalIn(boundedText),
    scope: boundedText,
    state: optionalIn(boundedText),
    prompt: optionalIn(z.enum(['consent', 'none'])),
    guild_id: optionalIn(guildIdInput),
    channel_id: optionalIn(channelIdInput),
    permissions: optionalIn(permissionsInput),
    disable_guild_select: optionalIn(z.enum(['true', 'false'])),
    code_challenge: optionalIn(boundedText),
    code_challenge_method: optionalIn(method),
  })
  .transform((query): AuthorizeQuery => ({
    clientId: query.client_id,
    redirectUri: query.redirect_uri ?? null,
    scope: query.scope,
    state: query.state ?? null,
    prompt: query.prompt ?? null,
    codeChallenge: query.code_challenge ?? null,
    codeChallengeMethod: query.code_challenge_method ?? null,
    parameters: Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ),
  }))

/** What the user decided on (rules/applications#authorise). */
export const consentBody = z
  .object({
    response_type: orNull(z.literal('code')),
    client_id: applicationIdInput,
    redirect_uri: orNull(boundedText),
    scope: boundedText,
    state: orNull(boundedText),
    permissions: orNull(permissionsInput),
    guild_id: orNull(guildIdInput),
    channel_id: orNull(channelIdInput),
    code_challenge: orNull(boundedText),
    code_challenge_method: orNull(method),
  })
  .transform((body): ConsentWishes => ({
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
    scope: body.scope,
    state: body.state,
    permissions: body.permissions ?? 0n,
    guildId: body.guild_id,
    channelId: body.channel_id,
    codeChallenge: body.code_challenge,
    codeChallengeMethod: body.code_challenge_method,
  }))

const clientMembers = { client_id: orNull(applicationIdInput), client_secret: orNull(boundedText) }

/** A code or a refresh token, for tokens (rules/applications#tokens). */
export const tokenForm = z
  .discriminatedUnion('grant_type', [
    z.object({
      grant_type: z.literal('authorization_code'),
      code: boundedText,
      redirect_uri: boundedText,
      code_verifier: orNull(boundedText),
      ...clientMembers,
    }),
    z.object({ grant_type: z.literal('refresh_token'), refresh_token: boundedText, ...clientMembers }),
  ])
  .transform((form): TokenForm => {
    const client = { clientId: form.client_id, clientSecret: form.client_secret }
    if (form.grant_type === 'refresh_token')
      return { ...client, grantType: 'refresh_token', refreshToken: form.refresh_token }
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = form
    return { ...client, grantType: 'authorization_code', code, redirectUri, codeVerifier }
  })

export const consoleCode = z
  .object({ code: boundedText, code_verifier: boundedText })
  .transform(({ code, code_verifier: codeVerifier }): ConsoleCode => ({ code, codeVerifier }))

/** The refresh token in the console's cookie; null without one. */
export const keptToken = z.object({ refresh_token: orNull(boundedText) }).transform((kept) => kept.refresh_token)

export const introspectionForm = z
  .object({ token: boundedText, ...clientMembers })
  .transform((form): IntrospectionForm => ({
    token: form.token,
    clientId: form.client_id,
    clientSecret: form.client_secret,
  }))

export const revocationForm = z
  .object({
    token: boundedText,
    token_type_hint: orNull(z.enum(['access_token', 'refresh_token'])),
    ...clientMembers,
  })
  .transform((form): RevocationForm => ({
    token: form.token,
    tokenTypeHint: form.token_type_hint,
    clientId: form.client_id,
    clientSecret: form.client_secret,
  }))

/** The applications whose authorizations end. */
export const revokedApplications = z.object({ application_ids: z.array(applicationIdInput).min(1).max(100) })
