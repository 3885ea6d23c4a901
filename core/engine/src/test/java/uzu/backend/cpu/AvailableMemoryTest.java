package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvailableMemoryTest {
    @TempDir
    Path root;

    @Test
    void theMachineSaysWhatIsFree() throws IOException {
        write("proc/meminfo", "MemTotal: 8000 kB\nMemFree: 100 kB\nMemAvailable:    2048 kB\n");
        assertEquals(2048 << 10, AvailableMemory.bytes(root));
    }

    @Test
    void aSystemThatSaysNothingSetsNoLimit() {
        assertTrue(AvailableMemory.bytes(root) > 1L << 60);
    }

    @Test
    void theSecondVersionsLimitsHoldForTheGroupsInside() throws IOException {
        write("proc/meminfo", "MemAvailable: 1000000 kB\n");
        write("proc/self/cgroup", "0::/outer/inner\n");
        write("sys/fs/cgroup/outer/memory.max", "5000\n");
        write("sys/fs/cgroup/outer/memory.current", "4000\n");
        write("sys/fs/cgroup/outer/memory.stat", "anon 3000\nfile 700\nshmem 200\n");
        write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
        write("sys/fs/cgroup/outer/inner/memory.current", "4000\n");
        assertEquals(1500, AvailableMemory.bytes(root));
    }

    @Test
    void theFirstVersionsLimitsCountToo() throws IOException {
        write("proc/meminfo", "MemAvailable: 1000000 kB\n");
        write("proc/self/cgroup", "3:cpu,cpuacct:/a\n2:memory:/a\n0::/\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "100\n");
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "8000\n");
        write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "7000\n");
        write("sys/fs/cgroup/memory/a/memory.stat", "cache 1\ntotal_cache 600\ntotal_shmem 100\n");
        assertEquals(1500, AvailableMemory.bytes(root));
    }

    @Test
    void insideAContainerTheMountIsTheGroup() throws IOException {
        write("proc/meminfo", "MemAvailable: 1000000 kB\n");
        write("proc/self/cgroup", "0::/hidden/by/the/namespace\n");
        write("sys/fs/cgroup/memory.max", "3000\n");
        write("sys/fs/cgroup/memory.current", "1000\n");
        assertEquals(2000, AvailableMemory.bytes(root));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
