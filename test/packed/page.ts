/** A page of somebody who has installed the package; compiled for browsers, without the types of Node. */
import { ConexError, connect } from 'conex'

export async function namesOfTasks(token: () => Promise<string>, project: string): Promise<string[]> {
  const asana = connect('asana', { baseUrl: 'https://conex.example', token })
  try {
    const { result } = await asana.tasks.list({ project })
    return result.map(({ name }) => name)
  } catch (error) {
    if (error instanceof ConexError && error.code === 'unauthenticated') return []
    throw error
  }
}

export async function notCompiled(token: string): Promise<void> {
  const asana = connect('asana', { baseUrl: 'https://conex.example', token })
  // @ts-expect-error a param of another type
  await asana.tasks.list({ project: 5 })
  // @ts-expect-error no way in at all
  connect('asana', { baseUrl: 'https://conex.example' })
}
