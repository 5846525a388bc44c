import { openFileScanner } from '../../adapters/file-scanners/open-file-scanner.ts'
import { mailServerFault } from '../../adapters/mail/smtp.ts'
import { geoIpDatabase } from '../../adapters/network-lookups/geoip-database.ts'
import { pinnedRootFingerprint } from '../../adapters/stores/store-settings.ts'
import { openByteStore } from '../../process/open-byte-store.ts'
import type { Settings } from '../../process/settings/settings.ts'
import { bad, checked, ok, reasonOf, warn, type Finding } from './finding.ts'

const answer_ms_max = 5000
/** The oldest NATS server that the client works with (docs/operating.md). */
const nats_min = [2, 9, 4] as const

/** NATS, where processes are to share events. */
export function checkNats({ natsServers: servers }: Settings): Promise<readonly Finding[]> {
  return checked('nats', 'Check NATS_URL, and that its server runs', async () => {
    if (servers === undefined) return ok('nats', 'not set: one process plays all roles')
    const { closeNats, connectNats } = await import('../../adapters/bus/nats/connect.ts')
    const connection = await connectNats({ servers, name: 'guildhall doctor' })
    try {
      const { version = '0', jetstream = false } = connection.info ?? {}
      if (isBelow(version, nats_min))
        return bad('nats', `version ${version}`, `Upgrade it to ${nats_min.join('.')} or later`)
      return jetstream
        ? ok('nats', `version ${version}, with JetStream`)
        : bad('nats', `version ${version}, without JetStream`, 'Start nats-server with --jetstream')
    } finally {
      await closeNats(connection)
    }
  })
}

/** Signs in to the mail server; sends nothing. */
export function checkMail({ smtp }: Settings): Promise<readonly Finding[]> {
  return checked('mail', 'Check SMTP_URL', async () => {
    if (!smtp) return ok('mail', 'SMTP_URL is not set: mails are kept, and guildhall mail prints them')
    const fault = await mailServerFault({ url: smtp.url, delivery_ms_max: answer_ms_max })
    const server = new URL(smtp.url).host
    return fault === undefined
      ? ok('mail', `${server} takes mails`)
      : bad(
          'mail',
          `${server} cannot be used: ${fault}`,
          'Check SMTP_URL with its user and password, and that the server runs',
        )
  })
}

/** Lists images; stores nothing. */
export function checkImages(settings: Settings): Promise<readonly Finding[]> {
  return checked('images', 'Check MEDIA_URL: host, bucket, key, secret and region', async () => {
    const store = await openByteStore(settings)
    try {
      // One page is enough.
      await store.list('guildhall-doctor/')[Symbol.asyncIterator]().next()
    } finally {
      store.close()
    }
    const { mediaUrl } = settings
    return ok('images', mediaUrl === undefined ? 'files in DATA_DIR' : `storage at ${new URL(mediaUrl).host} answers`)
  })
}

/** Asks what scans files whether it is there; sends it nothing. */
export function checkFileScanner({ fileScanner }: Settings): Promise<readonly Finding[]> {
  return checked('scanner', 'Check FILE_SCANNER, and that the scanner runs', async () => {
    if (fileScanner === undefined) return ok('scanner', 'FILE_SCANNER is not set: no file of a message is scanned')
    await openFileScanner(fileScanner).answers()
    return ok('scanner', `${fileScanner} answers`)
  })
}

/** The stores of a hosted instance: whether they can be reached from here. What they sell shows only in a purchase. */
export async function checkStores({
  hosted,
  stores: { storeA, storeB, sandbox },
}: Settings): Promise<readonly Finding[]> {
  if (!hosted) return [ok('stores', 'not a hosted instance: nothing is sold')]
  if (!storeA && !storeB)
    return [warn('stores', 'the instance is hosted and sells nothing', 'Set STORE_A or STORE_B, or unset HOSTED')]
  const trustsOthers = storeA?.rootFingerprints.some((print) => print !== pinnedRootFingerprint) === true
  return [
    ...(storeA ? await checkReached('STORE_A', storeA.apiUrl) : []),
    ...(storeB
      ? [...(await checkReached('STORE_B', storeB.apiUrl)), ...(await checkReached('STORE_B', storeB.tokenUrl))]
      : []),
    ...(trustsOthers
      ? [warn('stores', 'STORE_A trusts root certificates of your own', 'Remove root_certificates, except for tests')]
      : []),
    ...(sandbox.everyone
      ? [warn('stores', 'sandbox purchases of everybody count', 'Name accounts in STORE_SANDBOX, or unset it')]
      : []),
  ]
}

function checkReached(setting: string, url: string): Promise<readonly Finding[]> {
  const { host } = new URL(url)
  const advice = `Let this machine reach ${host}`
  return checked('stores', advice, async () => {
    try {
      // Any answer will do.
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answer_ms_max) })
      return ok('stores', `${setting}: ${host} can be reached`)
    } catch (error) {
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      return bad('stores', `${setting}: ${host} cannot be reached (${reason})`, advice)
    }
  })
}

/** The file that says where addresses are. */
export function checkLocations({ geoIpDatabase: path }: Settings): Promise<readonly Finding[]> {
  const advice = 'Set GEOIP_DATABASE to an MMDB file, or unset it'
  return checked('places', advice, async () => {
    if (path === undefined) return []
    const reasons: string[] = []
    const locate = geoIpDatabase({ path, onError: (error) => reasons.push(reasonOf(error)) })
    const { failed } = await locate('192.0.2.1')
    return failed ? bad('places', reasons.join(', '), advice) : ok('places', `${path} can be read`)
  })
}

function isBelow(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const index = least.findIndex((part, at) => (parts[at] ?? 0) !== part)
  return index !== -1 && (parts[index] ?? 0) < (least[index] ?? 0)
}
