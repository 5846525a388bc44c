import { besideServer } from './beside.ts'
import { castIn, noCast } from '../demo/cast-file.ts'
import { playStory } from '../demo/story.ts'
import { printedTimeline } from '../demo/timeline.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { runningServer } from './running-server.ts'

/** Plays the story against a running server. On the server's own machine, without `url`, it also shows the history. */
export async function demo(url: string | undefined, print: (line: string) => void): Promise<void> {
  const timeline = printedTimeline(print, () => performance.now())
  const server = await runningServer(url)
  if (url !== undefined) return playStory({ server, timeline, cast: noCast })
  const { dataDir } = readSettings(process.env)
  await besideServer(({ events }) => playStory({ server, timeline, store: events, cast: castIn(dataDir) }))
}
