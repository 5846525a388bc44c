import { credentialsOf } from '../../adapters/http/authentication/credential.ts'
import { idempotencyOver } from '../../adapters/http/idempotency/idempotency.ts'
import { openPostgresIdempotencyRows } from '../../adapters/http/idempotency/postgres-rows.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { consoleFiles, ownConsolePlace, type ConsoleFiles } from '../../adapters/http/console/console-files.ts'
import { builtDocuments } from '../../adapters/http/openapi/built-files.ts'
import { attachmentAddresses } from '../../adapters/media/attachments/signed-addresses.ts'
import type { FindExpressionImage } from '../../adapters/http/media/media-answer.ts'
import { nameOf } from '../../adapters/media/images.ts'
import { attachmentFile } from '../../adapters/media/attachments/stored-at.ts'
import type { ServedMedia } from '../../adapters/http/server/routes.ts'
import { openHttpServer, type HttpServer } from '../../adapters/http/server/open-http-server.ts'
import { consoleApplicationId } from '../../application/apps/console/console-application.ts'
import { imageLocationOf } from '../../application/communities/expressions/expression-access.ts'
import { openDownload } from '../../application/identity/archives/download-links.ts'
import { signOnEnforcement } from '../../application/identity/single-sign-on/sign-on-policy.ts'
import { accessTokensIn } from '../../application/identity/tokens/access-tokens.ts'
import { receiveUpload } from '../../application/conversations/attachments/receive-upload.ts'
import { adminAuditLog } from '../../application/administration/audit/admin-audit-log.ts'
import { sessionTokensIn } from '../../application/identity/tokens/session-tokens.ts'
import { adminKeyTokens } from '../../application/administration/keys/admin-key-tokens.ts'
import { notingSessionTokens } from '../../application/identity/sessions/noting-session-tokens.ts'
import type { ApplicationId } from '../../domain/ids/ids.ts'
import { cachedPositions } from '../../projections/runner/cached-positions.ts'
import { dryRunsOf } from '../dry-runs.ts'
import { productVersion } from '../product-version.ts'
import type { Base } from './base.ts'
import type { CommandSide } from './open-command-side.ts'
import type { Entry } from './open-entry.ts'
import type { Status } from './open-status.ts'

/** The operations over HTTP. The server does not listen yet. */
export async function openApi(
  base: Base,
  commands: CommandSide,
  { botTokens, gate }: Entry,
  status: Status,
): Promise<HttpServer> {
  const { options, closings, onError, database, elector, readModels, metrics, outages } = base
  const { settings, personalDataKey, logger, checkReplies } = options
  const { ports, rateLimits, origins } = commands
  const rows = openPostgresIdempotencyRows({ database, elector, onError })
  closings.add(() => rows.close())
  await warnWithoutSearch(base)
  prepareDirectory(base)
  const freshly = { ...ports, queries: base.fresh }
  return openHttpServer({
    operations: allOperations,
    ports,
    resolveCredential: credentialsOf({
      sessions: notingSessionTokens(sessionTokensIn(base.queries.accounts), ports.sessionActivity),
      bots: botTokens,
      accessTokens: accessTokensIn({ ...freshly, adminApplicationIds: adminApplications(base) }),
      adminKeys: adminKeyTokens(freshly),
    }),
    isSingleSignOnEnforced: signOnEnforcement(ports),
    readModels,
    origins,
    openDryRun: dryRunsOf(base, ports),
    idempotency: idempotencyOver({
      rows,
      origins,
      secret: personalDataKey,
      onStoringFailure: (error) => logger.warn({ err: error }, 'the answer to an Idempotency-Key could not be stored'),
    }),
    rateLimits,
    onUnlimited: onUnlimited(base),
    adminAudit: adminAuditLog(ports),
    contentFilter: ports.contentFilter,
    media: servedMedia(base, commands),
    openArchive: openDownload(freshly),
    documents: builtDocuments(),
    consoleFiles: consoleOf(options),
    isBeingSetUp: async () => !(await ports.instancePolicies.current()).setup.configured,
    logger,
    outages,
    readyState: () => status.state(),
    metrics,
    version: productVersion,
    trustedProxies: settings.trustedProxies,
    corsOrigins: settings.corsOrigins ?? [],
    clientVersions: settings.clientVersions ?? [],
    metricsToken: settings.metricsToken,
    accessLog: settings.accessLog,
    gate,
    checkReplies: checkReplies ?? false,
  })
}

/** What is sent from below /media, and received for it. */
function servedMedia(
  { options: { personalDataKey } }: Base,
  { ports, media, attachmentStore, origins }: CommandSide,
): ServedMedia {
  const addresses = attachmentAddresses(personalDataKey, () => ports.instance.publicUrl)
  return {
    images: media,
    findExpression: findExpression(ports),
    attachments: {
      open: (...asked) => addresses.open(...asked),
      find: (name) => attachmentStore.find(attachmentFile(name)),
    },
    uploads: { ...receiveUpload(ports), newId: () => origins.fresh().newId() },
  }
}

function consoleOf({ consolePlace, logger }: Base['options']): ConsoleFiles {
  return consoleFiles(consolePlace ?? ownConsolePlace(), (said) => {
    logger.error({ said }, 'the console could not be built: run node console/build.mjs')
  })
}

/** The images of emojis and stickers by the ids of these, deleted ones too. */
function findExpression({ queries }: CommandSide['ports']): FindExpressionImage {
  return async (images, id) => {
    const kind = images === 'emojis' ? 'emoji' : 'sticker'
    const found = await queries.expressions.imageOf(kind, id)
    return found && nameOf(imageLocationOf(kind, found.guildId, id), found.image)
  }
}

/** The applications whose tokens administer. */
function adminApplications({ options: { settings } }: Base): readonly ApplicationId[] {
  const { adminApplicationId: named, console = true } = settings
  return [...(console ? [consoleApplicationId] : []), ...(named === undefined ? [] : [named])]
}

/** What the statement of the buckets does for all others: asks for the position as of which the request is answered. */
function onUnlimited({ asOf, database }: Base): (() => Promise<void>) | undefined {
  if (!asOf) return undefined
  return async () => {
    const held = await cachedPositions(database)
    if (held) asOf(held)
  }
}

async function warnWithoutSearch({ options: { logger }, queries }: Base): Promise<void> {
  const [accounts, guilds] = await Promise.all([queries.accountSearch.canSearch(), queries.guildSearch.canSearch()])
  if (accounts && guilds) return
  logger.warn(
    'administrators cannot search accounts and guilds: Postgres has no extension pg_trgm. Create it in this database, then run: guildhall replay account_search, and: guildhall replay guild_search',
  )
}

/** Reads the listed guilds in the background: a search that comes earlier waits for them, the start does not. */
function prepareDirectory({ queries, closings, onError }: Base): void {
  let isClosing = false
  closings.add(async () => {
    isClosing = true
  })
  queries.directorySearch.prepare().catch((error: unknown) => {
    if (!isClosing) onError(error)
  })
}
