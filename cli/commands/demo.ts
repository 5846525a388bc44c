import { besideServer } from './beside.ts'
import { castIn, noCast } from '../demo/cast-file.ts'
import { playStory } from '../demo/story.ts'
import { printedTimeline } from '../demo/timeline.ts'
import { readSettings } from '../../process/settings/settings.ts'

/** Plays the story against a running server. On the server's own machine, without `url`, it also shows the history. */
export async function demo(url: string | undefined, print: (line: string) => void): Promise<void> {
  const timeline = printedTimeline(print, () => performance.now())
  if (url !== undefined) {
    const named = url.replace(/\/+$/, '')
    await checkRunning(named)
    await playStory({ server: named, timeline, cast: noCast })
    return
  }
  const { http, publicUrl, dataDir } = readSettings(process.env)
  const server = publicUrl ?? `http://${http.host.includes(':') ? `[${http.host}]` : http.host}:${http.port}`
  await checkRunning(server)
  await besideServer(({ events }) => playStory({ server, timeline, store: events, cast: castIn(dataDir) }))
}

async function checkRunning(server: string): Promise<void> {
  try {
    await fetch(`${server}/_health`)
  } catch (error) {
    throw new Error(`No server answers at ${server}: start one with 'npm start', or name one with --url`, {
      cause: error,
    })
  }
}
