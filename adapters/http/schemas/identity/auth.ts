import { z } from 'zod'
import {
  emailLength,
  globalNameLength,
  parseDateOfBirth,
  parseEmail,
  parseGlobalName,
  usernameLength,
} from '../../../../domain/account/names.ts'
import { tagTextLength } from '../../../../application/identity/accounts/tag-text.ts'
import { inviteCodeLength } from '../../../../domain/text/normalise.ts'
import { themes } from '../../../../domain/user-settings/settings.ts'
import { mfaChallenge } from './mfa.ts'
import { newPasswordInput, presentPasswordInput } from '../passwords.ts'
import { orNull, readBy, textInput, withDefault } from '../scalars.ts'
import { snowflakeOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'

const email = readBy(parseEmail, emailLength)
const dateOfBirth = readBy(parseDateOfBirth, { min: 10, max: 10 })
/** The permitted names depend on the service's name, so the use case parses it. */
const username = z.string().meta({ minLength: usernameLength.min, maxLength: usernameLength.max })
/** The invite that a user brings along when signing in: 0-256 characters. */
const carriedInvite = textInput({ ...inviteCodeLength, min: 0 })

/** The body of Register (rules/credentials#register). */
export const registration = z
  .object({
    email: orNull(email),
    username: orNull(username),
    global_name: orNull(readBy(parseGlobalName, globalNameLength)),
    password: orNull(newPasswordInput),
    date_of_birth: orNull(dateOfBirth),
    consent: withDefault(z.boolean(), false),
    invite_code: orNull(carriedInvite),
    registration_url_code: orNull(textInput({ min: 1, max: 256 })),
    theme: orNull(z.enum(themes)),
  })
  .transform((body) => ({
    email: body.email,
    username: body.username,
    globalName: body.global_name,
    password: body.password,
    dateOfBirth: body.date_of_birth,
    consent: body.consent,
    inviteCode: body.invite_code,
    registrationUrlCode: body.registration_url_code,
    theme: body.theme,
  }))

const isName = (member: unknown): boolean => member === 'email' || member === 'username'

/** The body of Login. The instance decides which of the two names is read. */
export const credentials = z
  .object({
    email: orNull(email),
    username: orNull(textInput(tagTextLength)),
    password: presentPasswordInput,
    invite_code: orNull(carriedInvite),
  })
  .refine(({ email: address, username: name }) => (address ?? name ?? null) !== null, {
    path: ['email'],
    params: { code: 'INVALID_FORMAT' },
    // Reported together with the other faults.
    when: ({ issues }) => !issues.some(({ path: [member] = [] }) => member === undefined || isName(member)),
  })
  .transform(({ invite_code: inviteCode, ...given }) => ({ ...given, inviteCode }))

export const authToken = z
  .object({ token: secretOutput, user_id: snowflakeOutput, user: partialUserSchema })
  .meta({ id: 'AuthToken' })

/** The account waits for approval, and has no session yet. */
export const registrationPending = z
  .object({ registration_pending_approval: z.literal(true), user_id: snowflakeOutput })
  .meta({ id: 'RegistrationPending' })

/** The answers to registering. */
export const registrationAnswer = z.union([authToken, registrationPending])

/** The answers to a right password. No member tells them apart: clients look for `token`. */
export const signInAnswer = z.union([authToken, mfaChallenge])
