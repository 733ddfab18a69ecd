/** Every method of the simulated Slack. */
import { conversationRoutes } from './conversation-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { teamRoutes } from './team-routes.ts'

export const routes = [
  ...teamRoutes,
  ...peopleRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...fileRoutes,
  ...searchRoutes,
]
