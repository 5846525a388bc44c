import type { AdminAuditEvent } from '../../../domain/admin-audit/events.js'
import type { AdminKeyEvent } from '../../../domain/admin-key/events.js'
import type { ApplicationEvent } from '../../../domain/application/events.js'
import type { BlocklistEntryEvent } from '../../../domain/blocklist-entry/events.js'
import type { InstanceEvent } from '../../../domain/instance/events.js'
import type { NetworkBanEvent } from '../../../domain/network-ban/events.js'
import type { OAuth2AuthorizationEvent } from '../../../domain/oauth2-authorization/events.js'
import type { MembersOf } from './member-kinds.js'

export const adminAudit: MembersOf<AdminAuditEvent> = {
  AdminActionRecorded: {
    entryId: 'text',
    adminId: 'text',
    credential: 'text',
    action: 'text',
    targetType: 'text',
    targetId: 'text',
    metadata: 'object',
    personalMetadata: 'object or null',
    personalHash: 'text or null',
    reason: 'text or null',
    actedAt: 'text',
    previousHash: 'text or null',
    hash: 'text',
  },
  AdminActionRefused: { entryId: 'text', adminId: 'text' },
}

export const adminKey: MembersOf<AdminKeyEvent> = {
  AdminKeyCreated: {
    keyId: 'text',
    accountId: 'text',
    name: 'text',
    keyHash: 'text',
    acls: 'list',
    createdAt: 'text',
    expiresAt: 'text or null',
  },
  AdminKeyChanged: { keyId: 'text', accountId: 'text', changes: 'object' },
  AdminKeyDeleted: { keyId: 'text', accountId: 'text' },
}

export const application: MembersOf<ApplicationEvent> = {
  ApplicationCreated: {
    applicationId: 'text',
    ownerId: 'text',
    name: 'text',
    redirectUris: 'list',
    botPublic: 'flag',
    botRequireCodeGrant: 'flag',
    bot: 'object',
    botTokenHash: 'text',
    clientSecretHash: 'text',
    createdAt: 'text',
  },
  ApplicationChanged: { applicationId: 'text', changes: 'object' },
  BotTokenReset: { applicationId: 'text', botTokenHash: 'text', revokedTokenHash: 'text' },
  ClientSecretReset: { applicationId: 'text', clientSecretHash: 'text' },
  ApplicationDeleted: { applicationId: 'text', ownerId: 'text', revokedTokenHash: 'text', deletedAt: 'text' },
}

export const blocklistEntry: MembersOf<BlocklistEntryEvent> = {
  BlocklistEntryAdded: {
    entryId: 'text',
    list: 'text',
    scope: 'text or null',
    value: 'text',
    details: 'object',
    addedBy: 'text or null',
    addedAt: 'text',
  },
  BlocklistEntryChanged: { entryId: 'text', changes: 'object' },
  BlocklistEntryRemoved: { entryId: 'text', list: 'text' },
}

export const instance: MembersOf<InstanceEvent> = {
  InstancePolicyChanged: { changes: 'object', changedAt: 'text' },
  AccountIdentityFixed: { signIn: 'text', tagStyle: 'text', fixedAt: 'text' },
  LimitConfigChanged: { traitDefinitions: 'list', rules: 'list', changedAt: 'text' },
}

export const networkBan: MembersOf<NetworkBanEvent> = {
  NetworkBanned: {
    network: 'text',
    cause: 'text',
    reason: 'text or null',
    bannedAt: 'text',
    expiresAt: 'text or null',
  },
  NetworkBanLifted: { network: 'text', liftedAt: 'text' },
}

const tokenPair = {
  accountId: 'text',
  applicationId: 'text',
  scopes: 'list',
  accessTokenHash: 'text',
  accessExpiresAt: 'text',
  refreshTokenHash: 'text',
  refreshExpiresAt: 'text',
  issuedAt: 'text',
  endedTokenHashes: 'list',
} as const

export const oauth2Authorization: MembersOf<OAuth2AuthorizationEvent> = {
  ApplicationAuthorized: { accountId: 'text', applicationId: 'text', scopes: 'list', authorizedAt: 'text' },
  OAuth2TokensIssued: tokenPair,
  OAuth2TokensRefreshed: { ...tokenPair, presentedTokenHash: 'text' },
  TokenFamilyEnded: {
    accountId: 'text',
    applicationId: 'text',
    familyHash: 'text',
    endedTokenHashes: 'list',
    endedAt: 'text',
  },
  AuthorizationRevoked: { accountId: 'text', applicationId: 'text', by: 'text', revokedAt: 'text' },
}
