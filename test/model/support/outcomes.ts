/** What the contract says of a request: refused, or done. */
export type Outcome = Refused | Done

export interface Refused {
  readonly kind: 'refused'
  /** Any of them: more than one where the contract gives no order. */
  readonly codes: readonly string[]
  /** Where the code is INVALID_FORM_BODY: `path CODE`. What is listed is among these, and something is. */
  readonly fields: readonly string[]
  readonly members: Readonly<Record<string, unknown>>
}

/** A dispatch, as far as the model says it. */
export interface Told {
  readonly t: string
  readonly d: Readonly<Record<string, unknown>>
}

export interface Done {
  readonly kind: 'done'
  readonly status: number
  /** Changes the model by what the answer says, and gives what the answer's body has to match; undefined for an empty one. */
  readonly settle: (body: unknown) => unknown
  /** Whether the sudo proof of the request comes back. */
  readonly echoesProof?: boolean
  /** The guild that is looked at afterwards, as its owner sees it. */
  readonly touches?: string
  /** The entries that stand in that guild's audit log afterwards and did not before; none where nothing is said. */
  readonly records?: () => readonly Readonly<Record<string, unknown>>[]
  /** What the owner's session is told, asked once it is done; nothing where nothing is said. */
  readonly tells?: () => readonly Told[]
}

/** A request, and what the contract says of it. */
export interface Play {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly proof?: 'none' | 'right' | 'wrong'
  /** Whether the client says that it understands threads. */
  readonly threads?: boolean
  readonly judge: () => Done
}

/**
 * The status of each code of part 1 that the cast can meet (contract, Errors). The others need an instance or an account of their
 * own, and are met where those are: test/operations.
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

/** 400 INVALID_FORM_BODY with any of these, each a path and a field code; `besides`, other codes that may come instead. */
export function refuseFields(fields: readonly string[], ...besides: readonly string[]): never {
  throw new Refusal({ kind: 'refused', codes: ['INVALID_FORM_BODY', ...besides], fields, members: {} })
}

/** What the judging of a request comes to. */
export function outcomeOf(judge: () => Done): Outcome {
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
