/** The model's verdict on a request: refused, or done. */
export type Outcome = Refused | Done

export interface Refused {
  readonly kind: 'refused'
  /** Any of them: more than one if no order is promised. */
  readonly codes: readonly string[]
  /** If the code is INVALID_FORM_BODY: `path CODE`. The answer lists some of these, and no others. */
  readonly fields: readonly string[]
  readonly members: Readonly<Record<string, unknown>>
}

/** A dispatch, as far as the model knows it. */
export interface Told {
  readonly t: string
  readonly d: Readonly<Record<string, unknown>>
}

export interface Done {
  readonly kind: 'done'
  readonly status: number
  /** Updates the model from the answer, and returns what the answer's body must match; undefined for an empty one. */
  readonly settle: (body: unknown) => unknown
  /** Whether the answer contains the request's sudo proof. */
  readonly echoesProof?: boolean
  /** The guild that is checked afterwards, as its owner sees it. */
  readonly touches?: string
  /** The new entries of that guild's audit log; without this function there are none. */
  readonly records?: () => readonly Readonly<Record<string, unknown>>[]
  /** What the owner's session hears, called after the request; without this function nothing. */
  readonly tells?: () => readonly Told[]
}

/** A request, and the model's verdict on it. */
export interface Play {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly proof?: 'none' | 'right' | 'wrong'
  /** Whether the client declares that it understands threads. */
  readonly threads?: boolean
  readonly judge: () => Done
}

/**
 * The status of each code that the cast can meet at operations on guilds and invites. The other codes need an instance
 * or an account of their own, and are tested with those: test/operations.
 */
export const statuses: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  ACCESS_DENIED: 403,
  MISSING_ACCESS: 403,
  MISSING_PERMISSIONS: 403,
  MISSING_OAUTH_SCOPE: 403,
  SUDO_MODE_REQUIRED: 403,
  CONTENT_BLOCKED: 403,
  FEATURE_TEMPORARILY_DISABLED: 403,
  INVITES_DISABLED: 403,
  USER_BANNED_FROM_GUILD: 403,
  TWO_FACTOR_REQUIRED: 400,
  INVALID_FORM_BODY: 400,
  GUILD_TEMPLATE_INVALID: 400,
  MAX_GUILDS: 400,
  MAX_INVITES: 400,
  MAX_GUILD_MEMBERS: 400,
  MAX_GROUP_DM_RECIPIENTS: 400,
  UNCLAIMED_ACCOUNT_CANNOT_JOIN_GROUP_DMS: 400,
  INVALID_CHANNEL_TYPE: 400,
  TEMPORARY_INVITE_REQUIRES_PRESENCE: 400,
  UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS: 400,
  BOTS_CANNOT_CREATE_GUILDS: 400,
  UNKNOWN_GUILD: 404,
  UNKNOWN_CHANNEL: 404,
  UNKNOWN_INVITE: 404,
  UNKNOWN_MEMBER: 404,
}

class Refusal extends Error {
  readonly refused: Refused

  constructor(refused: Refused) {
    super(refused.codes.join(' or '))
    this.refused = refused
  }
}

/** Ends the judging of a request with one of these codes. */
export function refuse(...codes: readonly string[]): never {
  throw new Refusal({ kind: 'refused', codes, fields: [], members: {} })
}

export function refuseWith(code: string, members: Readonly<Record<string, unknown>>): never {
  throw new Refusal({ kind: 'refused', codes: [code], fields: [], members })
}

/** 400 INVALID_FORM_BODY with any of these, each a path and a field code; `besides`, other codes that are also allowed. */
export function refuseFields(fields: readonly string[], ...besides: readonly string[]): never {
  throw new Refusal({ kind: 'refused', codes: ['INVALID_FORM_BODY', ...besides], fields, members: {} })
}

/** The result of judging a request. */
export function outcomeOf<Success extends { readonly kind: 'done' }>(judge: () => Success): Success | Refused {
  try {
    return judge()
  } catch (error) {
    if (error instanceof Refusal) return error.refused
    throw error
  }
}

export const done = (status: number, settle: Done['settle'] = () => undefined): Done => ({
  kind: 'done',
  status,
  settle,
})
