import { besideServer } from './beside.js'
import { playStory } from '../demo/story.js'
import { printedTimeline } from '../demo/timeline.js'
import { readSettings } from '../settings.js'

/** Plays the story against a running server. On the server's own machine, without `url`, it also shows the history. */
export async function demo(url: string | undefined, print: (line: string) => void): Promise<void> {
  const timeline = printedTimeline(print, () => performance.now())
  if (url !== undefined) {
    const named = url.replace(/\/+$/, '')
    await checkRunning(named)
    await playStory({ server: named, timeline })
    return
  }
  const { http, publicUrl } = readSettings(process.env)
  const server = publicUrl ?? `http://${http.host.includes(':') ? `[${http.host}]` : http.host}:${http.port}`
  await checkRunning(server)
  await besideServer(({ events }) => playStory({ server, timeline, store: events }))
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
