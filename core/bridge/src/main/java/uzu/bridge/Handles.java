package uzu.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Numbers for things that other languages hold. A number says its kind, and a generation tells a freed one from its
 * slot's next tenant. They fit 53 bits, so that JavaScript's numbers carry them exactly.
 */
final class Handles {
    private static final int SLOT_BITS = 24;
    private static final int GENERATION_BITS = 25;
    private static final long SLOT_MASK = (1L << SLOT_BITS) - 1;
    private static final long GENERATION_MASK = (1L << GENERATION_BITS) - 1;

    private final List<Slot> slots = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();

    private static final class Slot {
        private long generation;
        private long owner;
        private @Nullable Resource resource;
    }

    /** @param owner the handle whose closing closes this one too; 0 for none */
    synchronized long add(Resource resource, long owner) {
        if (owner != 0) {
            get(owner, Resource.class);
        }
        int index;
        if (free.isEmpty()) {
            if (slots.size() > SLOT_MASK) {
                throw new UzuException.OutOfMemory("16 million handles are open");
            }
            index = slots.size();
            slots.add(new Slot());
        } else {
            index = free.removeLast();
        }
        Slot slot = slots.get(index);
        slot.owner = owner;
        slot.resource = resource;
        return handle(index, slot, resource);
    }

    /** What the handle stands for. */
    synchronized <T extends Resource> T get(long handle, Class<T> type) {
        Slot slot = slot(handle);
        if (slot == null) {
            throw new UzuException.InvalidArgument(
                    "This handle belongs to nothing: " + Long.toUnsignedString(handle), details(handle));
        }
        Resource resource = slot.generation == generation(handle) ? slot.resource : null;
        if (resource == null) {
            throw new UzuException.Closed("This handle was closed", details(handle));
        }
        if (!type.isInstance(resource)) {
            throw new UzuException.InvalidArgument(
                    "This handle is of another kind: " + Fields.name(resource.kind()), details(handle));
        }
        return type.cast(resource);
    }

    /** The handle whose closing closes this one; 0 for none. */
    synchronized long owner(long handle) {
        get(handle, Resource.class);
        Slot slot = slot(handle);
        return slot == null ? 0 : slot.owner;
    }

    /** Forgets the handle and all that it owns, owned ones first; empty when it was closed before. */
    synchronized List<Resource> remove(long handle) {
        List<Resource> removed = new ArrayList<>();
        Slot slot = slot(handle);
        if (slot == null) {
            throw new UzuException.InvalidArgument(
                    "This handle belongs to nothing: " + Long.toUnsignedString(handle), details(handle));
        }
        if (slot.resource != null && slot.generation == generation(handle)) {
            remove(handle, slot, removed);
        }
        return removed;
    }

    private void remove(long handle, Slot slot, List<Resource> removed) {
        for (int i = 0; i < slots.size(); i++) {
            Slot other = slots.get(i);
            if (other.owner == handle && other.resource != null) {
                remove(handle(i, other, other.resource), other, removed);
            }
        }
        if (slot.resource != null) {
            removed.add(slot.resource);
        }
        slot.resource = null;
        slot.owner = 0;
        slot.generation = (slot.generation + 1) & GENERATION_MASK;
        free.add((int) (handle & SLOT_MASK));
    }

    /** Null for a number that never was a handle. */
    private @Nullable Slot slot(long handle) {
        int index = (int) (handle & SLOT_MASK);
        long kind = handle >>> (SLOT_BITS + GENERATION_BITS);
        if (kind < 1 || kind > Resource.Kind.values().length || index >= slots.size()) {
            return null;
        }
        Slot slot = slots.get(index);
        boolean current = slot.resource != null && handle(index, slot, slot.resource) == handle;
        return current || generation(handle) < slot.generation ? slot : null;
    }

    private static long generation(long handle) {
        return handle >>> SLOT_BITS & GENERATION_MASK;
    }

    private static long handle(int index, Slot slot, Resource resource) {
        long kind = resource.kind().ordinal() + 1;
        return kind << (SLOT_BITS + GENERATION_BITS) | slot.generation << SLOT_BITS | index;
    }

    private static Map<String, String> details(long handle) {
        return Map.of("handle", Long.toUnsignedString(handle));
    }
}
