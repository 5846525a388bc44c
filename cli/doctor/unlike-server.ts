import { byteStoreLocation } from '../../process/open-byte-store.ts'
import { notedSettings, secretSettings, type NotedSettings } from '../../process/settings/served-settings.ts'
import type { Settings } from '../../process/settings/settings.ts'
import { keyFault } from '../instance-key.ts'
import type { HistorySource } from './check-history.ts'
import { warn, type Finding } from './finding.ts'

/** A part for which the server has other settings than this command. */
export interface UnlikePart {
  readonly part: 'disk' | 'mail' | 'images' | 'stores'
  readonly finding: Finding
  /** Whether the settings of this command say enough to try the part with them. */
  readonly isTried: boolean
}

interface Difference {
  readonly part: UnlikePart['part']
  /** What the server has, and this command does not. */
  readonly lacking: readonly string[]
  /** What is set for this command, and not, or otherwise, at the server. */
  readonly other: readonly string[]
}

/**
 * The parts for which the server that started last has other settings than this command. None before a server has started, and none
 * without the key, which other lines speak of. The tables must be there.
 */
export async function partsUnlikeServer(source: HistorySource): Promise<readonly UnlikePart[]> {
  const { database, personalDataKey, settings } = source
  if (!personalDataKey || (await keyFault(database, personalDataKey, settings)) !== undefined) return []
  const served = await notedSettings({ database, personalDataKey })
  return served ? differencesOf(served, settings).flatMap(unlikePart) : []
}

function differencesOf(served: NotedSettings, own: Settings): readonly Difference[] {
  return [
    difference('mail', [['SMTP_URL', served.canSendMail, own.smtp !== undefined]]),
    difference('stores', ofStores(served, own)),
    ...(served.more ? differencesOfImages(served.more.images, own) : []),
  ]
}

/** The name of a setting, whether the server has it, and whether this command does. */
type Held = readonly [name: string, atServer: boolean, here: boolean]

function difference(part: UnlikePart['part'], all: readonly Held[]): Difference {
  const namesOf = (held: readonly Held[]) => held.map(([name]) => name)
  return {
    part,
    lacking: namesOf(all.filter(([, atServer, here]) => atServer && !here)),
    other: namesOf(all.filter(([, atServer, here]) => here && !atServer)),
  }
}

/** Where neither is hosted, nothing else matters. */
function ofStores({ hosted, more }: NotedSettings, own: Settings): readonly Held[] {
  if (!hosted && !own.hosted) return []
  const { stores } = own
  const secrets = Object.entries(secretSettings).map(([name, member]): Held => [
    name,
    more?.secrets.includes(name) === true,
    stores[member] !== undefined,
  ])
  const sandbox: Held = ['STORE_SANDBOX', more?.sandbox.everyone === true, stores.sandbox.everyone]
  return [['HOSTED', hosted, own.hosted], ...(more ? [...secrets, sandbox] : [])]
}

/** `images` is where the server keeps them. */
function differencesOfImages(images: string, own: Settings): readonly Difference[] {
  const folder = byteStoreLocation({ dataDir: own.dataDir, mediaUrl: undefined })
  const isFolder = !URL.canParse(images)
  const isElsewhere = images !== byteStoreLocation(own)
  const name = own.mediaUrl === undefined && isFolder ? 'DATA_DIR' : 'MEDIA_URL'
  return [
    { part: 'disk', lacking: isFolder && images !== folder ? ['DATA_DIR'] : [], other: [] },
    {
      part: 'images',
      lacking: isElsewhere && own.mediaUrl === undefined ? [name] : [],
      other: isElsewhere && own.mediaUrl !== undefined ? [name] : [],
    },
  ]
}

function unlikePart({ part, lacking, other }: Difference): readonly UnlikePart[] {
  if (lacking.length > 0) {
    const text = `not tried: the server has other settings than this command: ${lacking.join(', ')}`
    return [{ part, isTried: false, finding: warn(part, text, 'Set what the server has, and ask again') }]
  }
  if (other.length === 0) return []
  const text = `tried as it is set here, not as the server has it: ${other.join(', ')}`
  return [{ part, isTried: true, finding: warn(part, text, 'What is set here counts from the next start of a server') }]
}
