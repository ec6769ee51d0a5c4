// Plays levels in GVGAI, whose classes are on the path: it reads what to do line by line, and answers each.
//
//   load GAME LEVEL   two files, after which the level begins; whatever there was is forgotten
//   again             the level begins once more
//   seed NUMBER       chance draws from here on as with this seed
//   left, noop, ...   a tick with that key, or with none
//
// An answer is a line `= {"over": ..., "won": ..., "score": ..., "sprites": {"crate": [[row, column], ...]}}`;
// what has gone wrong is a line `! ...`. Anything else is GVGAI's own talk. A sprite between two cells is
// something wrong.

import core.game.ForwardModel;
import core.game.Game;
import core.game.StateObservation;
import core.logging.Logger;
import core.vgdl.VGDLFactory;
import core.vgdl.VGDLParser;
import core.vgdl.VGDLRegistry;
import core.vgdl.VGDLSprite;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import ontology.Types;
import ontology.avatar.oriented.OngoingTurningAvatar;

final class GvgaiRunner {
    private static final Map<String, Types.ACTIONS> KEYS = Map.of(
        "noop", Types.ACTIONS.ACTION_NIL,
        "up", Types.ACTIONS.ACTION_UP,
        "down", Types.ACTIONS.ACTION_DOWN,
        "left", Types.ACTIONS.ACTION_LEFT,
        "right", Types.ACTIONS.ACTION_RIGHT,
        "space", Types.ACTIONS.ACTION_USE);

    private static Game game;
    private static StateObservation now;
    private static String[] loaded;

    public static void main(String[] arguments) throws Exception {
        VGDLFactory.GetInstance().init();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                System.out.println("= " + answer(line.split("\t")));
            } catch (Exception wrong) {
                System.out.println("! " + wrong);
            }
            System.out.flush();
        }
    }

    private static String answer(String[] words) throws Exception {
        if (words[0].equals("load")) {
            loaded = words;
            VGDLRegistry.GetInstance().init();
            game = new VGDLParser().parseGame(words[1]);
            game.buildLevel(words[2], 0);
            Logger.getInstance().flushMessages(); // after 25 warnings (signs that stand for nothing) it would end the game
            now = game.getObservation().copy();
            leavesTheSameBehind();
        } else if (words[0].equals("again")) {
            answer(loaded); // effects that remember the last tick (pullWithIt) are shared by copies
        } else if (words[0].equals("seed")) {
            now.setNewSeed(Integer.parseInt(words[1]));
        } else {
            now.advance(KEYS.get(words[0]));
        }
        return shown();
    }

    /** A copy forgets what an avatar that always goes on leaves behind: it is told again. */
    private static void leavesTheSameBehind() throws Exception {
        Field forgotten = OngoingTurningAvatar.class.getDeclaredField("spawnId");
        forgotten.setAccessible(true);
        for (int type = 0; type < VGDLRegistry.GetInstance().numSpriteTypes(); type++) {
            Iterator<VGDLSprite> copies = model().getSprites(type).iterator();
            for (VGDLSprite sprite : game.getSprites(type)) {
                VGDLSprite copy = copies.next();
                if (sprite instanceof OngoingTurningAvatar) {
                    forgotten.setInt(copy, forgotten.getInt(sprite));
                }
            }
        }
    }

    private static String shown() throws Exception {
        ForwardModel model = model();
        List<String> types = new ArrayList<>();
        for (int type = 0; type < VGDLRegistry.GetInstance().numSpriteTypes(); type++) {
            List<String> cells = new ArrayList<>();
            for (VGDLSprite sprite : model.getSprites(type)) {
                cells.add(cell(sprite));
            }
            if (!cells.isEmpty()) {
                types.add("\"" + VGDLRegistry.GetInstance().getRegisteredSpriteKey(type) + "\": " + cells);
            }
        }
        boolean won = now.getGameWinner() == Types.WINNER.PLAYER_WINS;
        return "{\"over\": " + now.isGameOver() + ", \"won\": " + won + ", \"score\": " + now.getGameScore()
            + ", \"sprites\": {" + String.join(", ", types) + "}}";
    }

    private static ForwardModel model() throws Exception {
        Field hidden = StateObservation.class.getDeclaredField("model");
        hidden.setAccessible(true);
        return (ForwardModel) hidden.get(now);
    }

    private static String cell(VGDLSprite sprite) {
        int size = game.getBlockSize();
        if (sprite.rect.x % size != 0 || sprite.rect.y % size != 0) {
            throw new IllegalStateException("a sprite stands between two cells: " + sprite.name);
        }
        return "[" + sprite.rect.y / size + ", " + sprite.rect.x / size + "]";
    }
}
